"""What a benchmark tells the driver."""


def report(name, value):
    """Hand one figure to the driver."""
    print("@%s %s" % (name, value))
