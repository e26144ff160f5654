#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""formats.py RUN CGROUPS FIELDS NONZERO [DIRS] -- SOURCE...

Reads RUN.SOURCE.FORMAT.out of each source and format into the same shape and
compares: the cgroups in their order, their ids, and each value, absent ones, too.
The first source's JSON is what the others have to be. There have to be so many
cgroups and fields at least, and fields that are not 0 everywhere; and no cgroups
but those of DIRS, find's output with a NUL after each.

Prints the differences, or what was compared. Returns 1 if something differs.

A cgroup is (path, id, {field: value}); a path is bytes, a value an integer or
"max". The paths of OpenMetrics and of the table cannot always be turned back:
those of the JSON are turned into theirs.
"""
import csv
import json
import os
import re
import sys

from prometheus_client.openmetrics.parser import text_fd_to_metric_families

FORMATS = "json", "jsonl", "csv", "openmetrics", "table"

# These of the root move with every process that runs anywhere, ours included.
ROOT = b"/"
MOVING = "moving"


def read(name):
    """A file's text; bytes that are no UTF-8 are as json and os have them."""
    with open(name, encoding="utf-8", errors="surrogateescape",
              newline="\n") as file:
        return file.read()


def from_object(item):
    """A cgroup from its JSON object."""
    values = {}
    for name, value in item.items():
        if name in ("path", "id", "time", "source"):
            continue
        keys = value.items() if isinstance(value, dict) else [(None, value)]
        for key, number in keys:
            values[f"{name}.{key}" if key else name] = \
                "max" if number is None else number
    return os.fsencode(item["path"]), item["id"], values


def unique(pairs):
    """A JSON object, in which no name is there twice."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a name twice in {pairs}")
    return dict(pairs)


def read_json(name):
    text = json.loads(read(name), object_pairs_hook=unique)
    return [from_object(item) for item in text["cgroups"]]


def read_jsonl(name):
    return [from_object(json.loads(line, object_pairs_hook=unique))
            for line in read(name).split("\n")[:-1]]


def number_of(text):
    return text if text == "max" else int(text)


def read_csv(name):
    with open(name, encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        head, *rows = csv.reader(file, strict=True)
    if head[:2] != ["path", "id"]:
        raise ValueError(f"header: {head}")
    if any(len(row) != len(head) for row in rows):
        raise ValueError("rows that are not as long as the header")
    return [(os.fsencode(row[0]), int(row[1]),
             {field: number_of(text)
              for field, text in zip(head[2:], row[2:]) if text})
            for row in rows]


def table_path(path):
    """A path as the table has it: what moves the cursor or is no UTF-8."""
    def escape(match):
        return "".join(rf"\x{byte:02x}" for byte in os.fsencode(match[0]))
    # of a character of C1 only the first byte: the second is no UTF-8 then
    return re.sub("[\x00-\x1f\x7f-\x9f\udc80-\udcff]", escape,
                  os.fsdecode(path))


def read_table(name, wanted):
    """The columns have short names, and the order in which they were wanted."""
    fields = {field for _, _, values in wanted for field in values}
    head, *lines = read(name).split("\n")[:-1]
    *short, last = head.split()
    if last != "cgroup":
        raise ValueError(f"header: {head}")
    columns = []
    for column in short:
        # none of the fields: one that is absent everywhere
        columns.append(next((field for field in (
            column, "memory." + column, "memory.stat." + column)
            if field in fields), column))
    pattern = re.compile(r" *(\S+)" + r" +(\S+)" * (len(short) - 1) +
                         r"  (/.*)", re.ASCII | re.DOTALL)
    found = []
    for line in lines:
        *texts, path = pattern.fullmatch(line).groups()
        found.append((path, None, {field: number_of(text) for field, text in
                                   zip(columns, texts) if text != "-"}))
    return found


def metric_labels(path, number):
    """A cgroup's labels; as frozenset it tells cgroups apart."""
    text = os.fsdecode(path)
    labels = {"cgroup": re.sub("[\udc80-\udcff]", "\ufffd", text)}
    if labels["cgroup"] != text:
        labels["id"] = str(number)
    return frozenset(labels.items())


def metric_names(field):
    name = "memcg_" + re.sub("[^a-zA-Z0-9]", "_", field)
    return name, name + "_bytes", name + "_total"


def read_openmetrics(name, wanted):
    samples = {}
    with open(name, encoding="utf-8", newline="\n") as file:
        for family in text_fd_to_metric_families(file):
            for sample in family.samples:
                if sample.timestamp or sample.exemplar:
                    raise ValueError(f"a timestamp: {sample}")
                key = frozenset(sample.labels.items())
                samples.setdefault(sample.name, {})[key] = \
                    "max" if sample.value == float("inf") else sample.value
    fields = {}
    for field in {field for _, _, values in wanted for field in values}:
        there = [each for each in metric_names(field) if each in samples]
        if len(there) != 1:
            raise ValueError(f"{field}: metrics {there}")
        fields[there[0]] = field
    if set(fields) != set(samples):
        raise ValueError(f"of no field: {set(samples) - set(fields)}")
    # the order is that of each metric's samples; the root may lack the first
    cgroups = {metric_labels(ROOT, 0): {}}
    for metric, values in samples.items():
        for key, value in values.items():
            cgroups.setdefault(key, {})[fields[metric]] = value
    return [(key, None, values) for key, values in cgroups.items() if values]


def masked(cgroup):
    path, number, values = cgroup
    if path in (ROOT, "/", metric_labels(ROOT, 0)):
        values = {field: value if value == "max" else MOVING
                  for field, value in values.items()}
    return path, number, values


def compare(title, found, wanted):
    """Prints at most three differences. Return: are there none?"""
    different = [(ours, theirs) for ours, theirs in zip(found, wanted)
                 if ours != theirs][:3]
    for ours, theirs in different:
        print(f"{title}: {ours[0]!r} is there, not {theirs[0]!r}:"
              if ours[0] != theirs[0] else f"{title}: {ours[0]!r}:",
              f"id {ours[1]} is not {theirs[1]}" if ours[1] != theirs[1]
              else sorted(set(ours[2].items()) ^ set(theirs[2].items()), key=str)[:6])
    if len(found) != len(wanted):
        print(f"{title}: {len(found)} cgroups, not {len(wanted)}")
    return not different and len(found) == len(wanted)


def read_as(name, form, wanted):
    """Return: what is there, and what there should be, in the same shape."""
    if form == "table":
        return read_table(name, wanted), \
            [(table_path(path), None, values) for path, _, values in wanted]
    if form == "openmetrics":
        return read_openmetrics(name, wanted), \
            [(metric_labels(path, number), None, values)
             for path, number, values in wanted]
    return {"json": read_json, "jsonl": read_jsonl,
            "csv": read_csv}[form](name), wanted


def is_enough(wanted, cgroups, fields, nonzero):
    names = {field for _, _, values in wanted for field in values}
    filled = {field for _, _, values in wanted
              for field, value in values.items() if value not in (0, "max")}
    print(f"{len(wanted)} cgroups, {len(names)} fields, {len(filled)} of them"
          f" not 0, {sum(len(values) for _, _, values in wanted)} values")
    return len(wanted) >= cgroups and len(names) >= fields and \
        len(filled) >= nonzero


def has_all(wanted, name):
    with open(name, "rb") as file:
        dirs = file.read().split(b"\0")[:-1]
    expected = {path[1:] or ROOT for path in dirs}
    there = {path for path, _, _ in wanted}
    for path in sorted(expected ^ there)[:3]:
        print(f"{path!r} is {'not ' if path in expected else ''}there")
    return expected == there and len(there) == len(wanted)


def main():
    split = sys.argv.index("--")
    run, *least = sys.argv[1:split]
    sources = sys.argv[split + 1:]
    wanted = read_json(f"{run}.{sources[0]}.json.out")
    good = is_enough(wanted, *(int(number) for number in least[:3]))
    if least[3:]:
        good = has_all(wanted, least[3]) and good
    for source in sources:
        for form in FORMATS:
            found, shaped = read_as(f"{run}.{source}.{form}.out", form, wanted)
            if not compare(f"{source} as {form}",
                           [masked(cgroup) for cgroup in found],
                           [masked(cgroup) for cgroup in shaped]):
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
