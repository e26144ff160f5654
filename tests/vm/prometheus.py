#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""prometheus.py FILE DIR

Has Prometheus scrape FILE, which memcgstat --openmetrics wrote, both ways that
there are: through the textfile collector of node-exporter ("textfile"), which
reads the older text format, and as OpenMetrics from a server here ("direct"). What
the HTTP API of Prometheus then has is compared with the file, sample by sample.

All listens on loopback, on free ports above 20000, and keeps its files in the new
directory DIR, logs included; what was started is ended. Prints the differences, or
the number of samples. Returns 1 if something differs.
"""
import functools
import http.server
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from prometheus_client.openmetrics.parser import text_fd_to_metric_families

SECONDS = 30            # how long anything may take
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
CONFIG = """
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: textfile
    static_configs: [targets: ["127.0.0.1:{}"]]
  - job_name: direct
    static_configs: [targets: ["127.0.0.1:{}"]]
"""


def free_port():
    while True:
        port = random.randrange(20000, 32768)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def get(port, path, **parameters):
    query = urllib.parse.urlencode(parameters)
    url = f"http://127.0.0.1:{port}{path}?{query}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=SECONDS) as answer:
        return answer.read().decode()


def api(port, path, **parameters):
    return json.loads(get(port, "/api/v1/" + path, **parameters))["data"]


class Handler(http.server.BaseHTTPRequestHandler):
    """Whatever is asked for, it is the file."""

    def __init__(self, content, *arguments):
        self.content = content
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", OPENMETRICS)
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_):
        pass


def serve(name):
    with open(name, "rb") as file:
        handler = functools.partial(Handler, file.read())
    server = http.server.HTTPServer(("127.0.0.1", free_port()), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def wait_for(what, is_done, processes):
    """Until it is so; what is refused or not there yet will be."""
    end = time.monotonic() + SECONDS
    why = "not yet"
    while time.monotonic() < end:
        for process in processes:
            if process.poll() is not None:
                raise RuntimeError(f"{process.args[0]} ended: see its log")
        try:
            if is_done():
                return
        except (OSError, urllib.error.URLError) as error:
            why = error
        time.sleep(0.1)
    raise RuntimeError(f"{what}: {why}")


def are_scraped(port):
    targets = api(port, "targets")["activeTargets"]
    for target in targets:
        if target["health"] == "down":
            raise RuntimeError(f"{target['labels']['job']}: "
                               f"{target['lastError']}")
    return targets and all(each["health"] == "up" for each in targets)


def samples_of(name):
    """{(name, cgroup, id): value}, and the counters' names."""
    found, counters = {}, set()
    with open(name, encoding="utf-8", newline="\n") as file:
        for family in text_fd_to_metric_families(file):
            for sample in family.samples:
                key = (sample.name, sample.labels["cgroup"],
                       sample.labels.get("id", ""))
                found[key] = float(sample.value)
                if family.type == "counter":
                    counters.add(sample.name)
    return found, counters


def queried(port, query):
    """The same from Prometheus."""
    found = {}
    for item in api(port, "query", query=query)["result"]:
        labels = item["metric"]
        key = labels["__name__"], labels["cgroup"], labels.get("id", "")
        found[key] = float(item["value"][1])
    return found


def selector(cgroup, job):
    """One path by its label. The query language takes U+FFFD only escaped."""
    text = cgroup.replace("\\", "\\\\").replace('"', '\\"')
    text = text.replace("\ufffd", "\\ufffd")
    return f'{{__name__=~"memcg_.*",job="{job}",cgroup="{text}"}}'


def differences(title, found, wanted):
    different = [key for key in sorted(found.keys() | wanted.keys())
                 if found.get(key) != wanted.get(key)]
    for key in different[:3]:
        print(f"{title}: {key}: {found.get(key)} is not {wanted.get(key)}")
    return len(different)


def compare(port, wanted, counters):
    count = 0
    cgroups = sorted({cgroup for _, cgroup, _ in wanted})
    for job in "textfile", "direct":
        count += differences(job, queried(
            port, f'{{__name__=~"memcg_.*",job="{job}"}}'), wanted)
        for cgroup in cgroups:
            count += differences(f"{job}, by label", queried(
                port, selector(cgroup, job)),
                {key: wanted[key] for key in wanted if key[1] == cgroup})
    # the textfile collector does not know that they are counters
    for job, kind in ("textfile", "unknown"), ("direct", "counter"):
        targets = api(port, "targets/metadata",
                      match_target=f'{{job="{job}"}}')
        types = {item["metric"]: item["type"] for item in targets}
        for name in counters:
            # Prometheus keeps them by the name that the format has
            given = types.get(name) or types.get(name[:-len("_total")])
            if given != kind:
                print(f"{job}: {name} is {given}, not {kind}")
                count += 1
    return count


def start(processes, log, *command):
    with open(log, "wb") as file:
        processes.append(subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file))


def end(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(name, directory, processes):
    exporter, prometheus = free_port(), free_port()
    textfiles = os.path.join(directory, "textfiles")
    os.makedirs(textfiles)
    shutil.copy(name, os.path.join(textfiles, "memcgstat.prom"))
    config = os.path.join(directory, "prometheus.yml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(CONFIG.format(exporter, serve(name)))
    start(processes, os.path.join(directory, "exporter.log"),
          "prometheus-node-exporter", "--collector.disable-defaults",
          "--collector.textfile", f"--collector.textfile.directory={textfiles}",
          f"--web.listen-address=127.0.0.1:{exporter}")
    wait_for("node-exporter", lambda: get(exporter, "/metrics"), processes)
    start(processes, os.path.join(directory, "prometheus.log"), "prometheus",
          f"--config.file={config}",
          f"--storage.tsdb.path={os.path.join(directory, 'data')}",
          f"--web.listen-address=127.0.0.1:{prometheus}")
    wait_for("scrape", lambda: are_scraped(prometheus), processes)
    wanted, counters = samples_of(name)
    print(f"{len(wanted)} samples, {len(counters)} counters")
    errors = api(prometheus, "query", query="node_textfile_scrape_error")
    if [item["value"][1] for item in errors["result"]] != ["0"]:
        print(f"textfile: refused, see exporter.log: {errors['result']}")
        return 1
    return 1 if not counters or compare(prometheus, wanted, counters) else 0


def main():
    processes = []
    try:
        return run(*sys.argv[1:3], processes)
    except urllib.error.HTTPError as error:
        print(f"{error.url}: {error.read().decode()}")
        return 1
    except (OSError, RuntimeError) as error:
        print(error)
        return 1
    finally:
        end(processes)


if __name__ == "__main__":
    sys.exit(main())
