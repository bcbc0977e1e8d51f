// Code generated from the policies of the Go client by "go generate ./fetch"; DO NOT EDIT.

export type Class = "file" | "empty-file" | "redirect" | "unavailable" | "rejected" | "forbidden" | "undefined" | "unreachable";
export type Effect = "file" | "copy" | "allow-all" | "disallow-all";
export type Policy = "google" | "rfc9309" | "google-ladder" | "koster" | "careful";

export interface PolicyTable {
  /** What a class of responses means. */
  readonly effects: Readonly<Record<Exclude<Class, "redirect" | "unreachable">, Effect>>;
  /** What applies after a time in which robots.txt has been unreachable, the longest first. */
  readonly outages: readonly { readonly over: number; readonly copy: Effect; readonly nocopy: Effect }[];
  /** How long a file is fresh by default, and at most. */
  readonly fresh: number;
  readonly freshMost: number;
  /** How many redirects are followed by default. */
  readonly redirects: number;
  /** A 300 with a target is a redirect, and after too many redirects the file is unreachable. */
  readonly untilFound: boolean;
  /** Whatever is not a text file, an empty one, 404 or 410 is a fault, and a copy is of use for a day. */
  readonly onEvidence: boolean;
}

/** The classes of statuses, from a first to a last one. */
export const statuses: readonly (readonly [first: number, last: number, of: Class])[] = [
  [100, 199, "unreachable"],
  [200, 203, "file"],
  [204, 205, "empty-file"],
  [206, 206, "unreachable"],
  [207, 299, "file"],
  [300, 300, "undefined"],
  [301, 303, "redirect"],
  [304, 304, "unreachable"],
  [305, 306, "undefined"],
  [307, 308, "redirect"],
  [309, 399, "undefined"],
  [400, 400, "rejected"],
  [401, 401, "forbidden"],
  [402, 402, "rejected"],
  [403, 403, "forbidden"],
  [404, 404, "unavailable"],
  [405, 409, "rejected"],
  [410, 410, "unavailable"],
  [411, 428, "rejected"],
  [429, 429, "unreachable"],
  [430, 499, "rejected"],
  [500, 599, "unreachable"],
  [600, 999, "unreachable"],
];

export const policies: Readonly<Record<Policy, PolicyTable>> = {
  "google": {
    effects: {
      "file": "file",
      "empty-file": "file",
      "unavailable": "allow-all",
      "rejected": "allow-all",
      "forbidden": "allow-all",
      "undefined": "allow-all",
    },
    outages: [
      { over: 2592000000, copy: "copy", nocopy: "allow-all" },
      { over: 43200000, copy: "disallow-all", nocopy: "disallow-all" },
      { over: -1, copy: "disallow-all", nocopy: "disallow-all" },
    ],
    fresh: 86400000,
    freshMost: 604800000,
    redirects: 5,
    untilFound: false,
    onEvidence: false,
  },
  "rfc9309": {
    effects: {
      "file": "file",
      "empty-file": "file",
      "unavailable": "allow-all",
      "rejected": "allow-all",
      "forbidden": "allow-all",
      "undefined": "disallow-all",
    },
    outages: [
      { over: 2592000000, copy: "copy", nocopy: "allow-all" },
      { over: 43200000, copy: "copy", nocopy: "disallow-all" },
      { over: -1, copy: "copy", nocopy: "disallow-all" },
    ],
    fresh: 86400000,
    freshMost: 86400000,
    redirects: 5,
    untilFound: false,
    onEvidence: false,
  },
  "google-ladder": {
    effects: {
      "file": "file",
      "empty-file": "file",
      "unavailable": "allow-all",
      "rejected": "allow-all",
      "forbidden": "allow-all",
      "undefined": "allow-all",
    },
    outages: [
      { over: 2592000000, copy: "disallow-all", nocopy: "disallow-all" },
      { over: 43200000, copy: "copy", nocopy: "allow-all" },
      { over: -1, copy: "disallow-all", nocopy: "disallow-all" },
    ],
    fresh: 86400000,
    freshMost: 604800000,
    redirects: 5,
    untilFound: false,
    onEvidence: false,
  },
  "koster": {
    effects: {
      "file": "file",
      "empty-file": "file",
      "unavailable": "allow-all",
      "rejected": "allow-all",
      "forbidden": "disallow-all",
      "undefined": "allow-all",
    },
    outages: [
      { over: 2592000000, copy: "disallow-all", nocopy: "disallow-all" },
      { over: 43200000, copy: "disallow-all", nocopy: "disallow-all" },
      { over: -1, copy: "disallow-all", nocopy: "disallow-all" },
    ],
    fresh: 604800000,
    freshMost: 2592000000,
    redirects: 20,
    untilFound: true,
    onEvidence: false,
  },
  "careful": {
    effects: {
      "file": "file",
      "empty-file": "file",
      "unavailable": "allow-all",
      "rejected": "disallow-all",
      "forbidden": "disallow-all",
      "undefined": "disallow-all",
    },
    outages: [
      { over: 2592000000, copy: "copy", nocopy: "disallow-all" },
      { over: 43200000, copy: "copy", nocopy: "disallow-all" },
      { over: -1, copy: "copy", nocopy: "disallow-all" },
    ],
    fresh: 86400000,
    freshMost: 86400000,
    redirects: 5,
    untilFound: false,
    onEvidence: true,
  },
};

/** The least time for which an answer is fresh if headers state it. */
export const minFresh = 300000;
/** The longest time for which an answer without a file is fresh. */
export const noFileFresh = 86400000;
/** The wait after the first fault, which doubles up to the last one. */
export const firstWait = 30000;
/** The longest wait after faults. */
export const lastWait = 3600000;
/** The same after a 503. */
export const last503 = 600000;
/** The status of a wait that ends at last503. */
export const unavailableStatus = 503;
/** The longest wait that Retry-After can request. */
export const longestRetryAfter = 86400000;
/** The longest time between two attempts of one outage. */
export const outageGap = 172800000;
/** How long after its fetch a copy is of use to a policy onEvidence. */
export const evidenceLasts = 86400000;
/** The tolerated difference between the clocks of machines with one store. */
export const clockSkew = 300000;
/** How many bytes of a file are read. */
export const maxBody = 512000;
/** The longest Location that is followed, in bytes. */
export const maxLocation = 8192;
/** How long a whole fetch may take by default. */
export const defaultTimeout = 30000;
/** How long the headers of a response may take by default. */
export const defaultFirstByteTimeout = 15000;
