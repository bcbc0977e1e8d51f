# Code generated from the policies of the Go client by "go generate ./fetch"; DO NOT EDIT.

from typing import Literal

Policy = Literal["google", "rfc9309", "google-ladder", "koster", "careful"]
"""The names of docs/policies.md."""

# The classes of statuses, by the first status of each range.
STATUSES = {
    100: "unreachable",
    200: "file",
    204: "empty-file",
    206: "unreachable",
    207: "file",
    300: "undefined",
    301: "redirect",
    304: "unreachable",
    305: "undefined",
    307: "redirect",
    309: "undefined",
    400: "rejected",
    401: "forbidden",
    402: "rejected",
    403: "forbidden",
    404: "unavailable",
    405: "rejected",
    410: "unavailable",
    411: "rejected",
    429: "unreachable",
    430: "rejected",
    500: "unreachable",
    600: "unreachable",
}

# By policy: what each class means; for how long a file is fresh if its headers say nothing, and at
# most; how many redirects are followed; whether a 300 with a target is a redirect; whether only
# evidence allows.
POLICIES = {
    "google": ({"file": "file", "empty-file": "file", "unavailable": "allow-all", "rejected": "allow-all", "forbidden": "allow-all", "undefined": "allow-all"}, 86400, 604800, 5, False, False),
    "rfc9309": ({"file": "file", "empty-file": "file", "unavailable": "allow-all", "rejected": "allow-all", "forbidden": "allow-all", "undefined": "disallow-all"}, 86400, 86400, 5, False, False),
    "google-ladder": ({"file": "file", "empty-file": "file", "unavailable": "allow-all", "rejected": "allow-all", "forbidden": "allow-all", "undefined": "allow-all"}, 86400, 604800, 5, False, False),
    "koster": ({"file": "file", "empty-file": "file", "unavailable": "allow-all", "rejected": "allow-all", "forbidden": "disallow-all", "undefined": "allow-all"}, 604800, 2592000, 20, True, False),
    "careful": ({"file": "file", "empty-file": "file", "unavailable": "allow-all", "rejected": "disallow-all", "forbidden": "disallow-all", "undefined": "disallow-all"}, 86400, 86400, 5, False, True),
}

# By policy: what applies with a copy and without one while the file has been unreachable for more
# than a time, the longest first.
OUTAGES = {
    "google": ((2592000, "copy", "allow-all"), (43200, "disallow-all", "disallow-all"), (-1, "disallow-all", "disallow-all")),
    "rfc9309": ((2592000, "copy", "allow-all"), (43200, "copy", "disallow-all"), (-1, "copy", "disallow-all")),
    "google-ladder": ((2592000, "disallow-all", "disallow-all"), (43200, "copy", "allow-all"), (-1, "disallow-all", "disallow-all")),
    "koster": ((2592000, "disallow-all", "disallow-all"), (43200, "disallow-all", "disallow-all"), (-1, "disallow-all", "disallow-all")),
    "careful": ((2592000, "copy", "disallow-all"), (43200, "copy", "disallow-all"), (-1, "copy", "disallow-all")),
}

# The least time for which an answer is fresh if its headers state one.
MIN_FRESH = 300
# The longest time for which an answer without a file is fresh.
NO_FILE_FRESH = 86400
# The wait after the first fault, which doubles up to the last one.
FIRST_WAIT = 30
# The longest wait after faults.
LAST_WAIT = 3600
# The same after a 503.
LAST_503 = 600
# The longest time between two attempts of one outage.
OUTAGE_GAP = 172800
# The longest wait that Retry-After can request.
LONGEST_RETRY_AFTER = 86400
# How long after its fetch a copy is of use if only evidence allows.
EVIDENCE_LASTS = 86400
# The tolerated difference between the clocks of machines with one store.
CLOCK_SKEW = 300
