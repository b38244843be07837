"""Which files a user other than the owner reaches: her own user.md and files/, or the owner's.

How the device talks (soul.md, identity.md) is read by everybody. MEMORY.md is the owner's.
"""

_DEVICE = ("soul.md", "identity.md")


def reach(memory, config):
    """(folder of user.md, profile files, folder of the trees, trees, those to be read only).

    With the setting files.shared the trees are the owner's, to be read; else files/ is her own.
    """
    own = memory.scope.folder(memory.memory_dir)
    profile = ("user.md",) + _DEVICE
    if config.get("files.shared"):
        trees = ("files", "skills")
        return own, profile, memory.root, trees, _DEVICE + trees
    return own, profile, own, ("files",), _DEVICE
