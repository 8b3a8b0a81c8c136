/** What is told to whoever listens. The list is closed, so that alerts and consoles can be written against it. */
export const EVENT_KINDS = [
  // the daemon
  'started',
  'stopping',
  // what callers did
  'saved',
  'release',
  'mode',
  'ignored',
  'operation',
  'token',
  'user',
  'ssh_client',
  // what gateways did
  'address',
  'flapping',
  // what the proxy made of a release
  'not_loaded',
  'went_back',
  // what it lacks
  'entrypoints_missing',
  // what strangers tried
  'wrong_keys',
  // edges that came and went
  'edge_online',
  'edge_offline',
  // watchers elsewhere that fell silent, or called (again)
  'heartbeat_alive',
  'heartbeat_silent',
  // what is to be done by somebody
  'rotation_due',
  // what passes found
  'repaired',
  'drift',
  'refused',
  'failed',
  'unreadable',
  'suspended',
  'recovered',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/**
 * What is told to whoever listens just then, and never kept: each says that something reads otherwise now, and what it
 * is, is asked of its own endpoint. Whoever connects later has read that already.
 */
export const HINT_KINDS = [
  // lamps of domains
  'lamps',
  // of these, names in the zones, and certificates
  'dns',
  'certificate',
  // a part of the health page
  'health',
  // an operation that runs
  'step',
  // who has signed in to the console
  'session',
  // what is set of the edges
  'edge',
] as const
export type HintKind = (typeof HINT_KINDS)[number]
