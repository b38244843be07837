"""The old name of asyncio."""

import sys

import asyncio

sys.modules[__name__] = asyncio
