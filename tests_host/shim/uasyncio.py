"""The old name of asyncio."""

import asyncio
import sys

sys.modules[__name__] = asyncio
