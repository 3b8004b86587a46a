"""Intraclass correlations, held against those of pingouin."""

import sys

import numpy as np
import pandas as pd
import pingouin
from studies import MISSING, compare, measure, with_holes


def check(number):
    random = np.random.default_rng(number)
    items, raters = random.integers(3, 40), random.integers(2, 7)
    quality = random.integers(10, 90, size=(items, 1))
    study = quality + random.integers(0, 2 + number, size=(items, raters))
    study += random.integers(0, 9, size=(1, raters))
    study = with_holes(random, study, 0.05)
    complete = study[(study != MISSING).all(axis=1)]
    if len(complete) < 3:
        return
    ids = "icc_1,icc_a1,icc_c1,icc_k,icc_ak,icc_ck"
    report = measure(f"intraclass-{number}", study, "level=interval", f"measures={ids}")
    ours = {one["name"].replace("ICC(1)", "ICC(1,1)").replace("ICC(k)", "ICC(1,k)"): one
            for one in report["measures"]}
    long = pd.DataFrame(complete).melt(ignore_index=False, var_name="rater").reset_index()
    peers = pingouin.intraclass_corr(long, targets="index", raters="rater", ratings="value")
    for _, peer in peers.iterrows():
        one, what = ours[peer["Type"]], f"{peer['Type']} of study {number}"
        if peer["ICC"] > 1:
            # The variance of the means is estimated below zero, and there is no value here.
            if one["value"] is not None:
                sys.exit(f"{what}: {one['value']} here, above 1 there")
            continue
        compare(what, one["value"], peer["ICC"])
        lower, upper = peer["CI95"]
        if one["interval"] is None:
            # Where it leaves the range of coefficients of one rating, there is none here.
            once = peers.set_index("Type")["CI95"][peer["Type"].replace("k)", "1)")][0]
            if one["no_interval"]["code"] != "Unbounded" or once > -1 / (study.shape[1] - 1) + 0.005:
                sys.exit(f"{what}: no interval here, {lower} to {upper} there")
            continue
        # Rounded to two decimals there.
        for end, there in [("lower", lower), ("upper", upper)]:
            here = one["interval"][end]
            if abs(here - there) > 0.005 + 1e-9:
                sys.exit(f"{what}, {end} end: {here} here, {there} there")
        if one["incomplete"] != len(study) - len(complete):
            sys.exit(f"{what}: {one['incomplete']} incomplete items")
