import numpy as np


def solve(x):
    return x
