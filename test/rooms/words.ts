/** Words of our own that the field has a word for: identifiers do not use them. What is left of them only shrinks. */

/** A part of an identifier, as `desk` is of `mailDesk` and `MAIL_DESK`, and what to say instead. */
export const REFUSED_WORDS: Readonly<Record<string, string>> = {
  desk: 'service, or pass the ports',
  desks: 'services',
  room: 'module or feature; the rooms of the import law are no identifiers of the source',
  rooms: 'modules or features',
  house: 'daemon',
  household: 'the parts of the daemon',
  told: 'reported',
  troubles: 'alerts',
  trouble: 'alert, failure',
  remark: 'warning',
  remarks: 'warnings',
  ripe: 'due',
  unsure: 'indeterminate',
  sight: 'observation',
  sights: 'observations',
  sighted: 'observed',
  sighting: 'observation',
  sightings: 'observations',
  deed: 'change, operation, action',
  deeds: 'changes, operations, actions',
  fate: 'outcome',
  fates: 'outcomes',
  homeless: 'withoutZone',
  shelf: 'inventory',
  keeper: 'exclusions, cache',
  withhold: 'exclude',
  withheld: 'excluded',
  withholding: 'excluding',
  held: 'excluded, locked, pending',
  holding: 'ownership',
  holdings: 'ownerships',
  matrix: 'ownership table',
  book: 'index, registry',
  books: 'indexes, registries',
  doubt: 'invalidate, suspicion',
  doubts: 'suspicions',
  doubted: 'invalidated',
  deaf: 'unreachable',
  woken: 'onReleased, onChange',
  hurry: 'resetBackoff',
  setback: 'failure',
  judge: 'evaluate, classify',
  judges: 'evaluates',
  judged: 'evaluated',
  judgement: 'evaluation',
  verdict: 'result',
  verdicts: 'results',
  gone: 'removable, removed',
  goner: 'removable',
  sheet: 'buffer',
  lobby: 'lifecycle',
  faithful: 'verified by a round trip',
  rush: 'burst',
  gather: 'batch',
  heeding: 'respecting',
  pooled: 'limited',
  he: 'they',
  his: 'their',
  him: 'them',
  patience: 'timeout, grace',
}

/** What was found, not that it was: as the whole name of a type each of these means as much as none. */
export const REFUSED_TYPES: readonly string[] = [
  'Asked',
  'Found',
  'Judged',
  'Line',
  'Place',
  'Told',
  'Verdict',
]

/**
 * In how many files of the source a refused word is still part of an identifier, at most. Numbers are lowered as words go, and
 * none is ever raised; the row of a word that is gone is taken away.
 */
export const LEFT_WORDS: Readonly<Record<string, number>> = {
  deed: 3,
  gone: 6,
  held: 59,
  homeless: 5,
  judged: 6,
  remarks: 2,
  told: 11,
  trouble: 5,
  troubles: 2,
  verdict: 5,
  verdicts: 1,
}

/** The same of names of types: in how many files each is declared. */
export const LEFT_TYPES: Readonly<Record<string, number>> = {
  Found: 2,
  Place: 1,
  Verdict: 1,
}
