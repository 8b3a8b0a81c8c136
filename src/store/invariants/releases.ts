/** Rules of what was deployed: releases, what they moved and froze, and the trail of who asked for them. */
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import type { ReleasedTable, ReleaseRowsTable } from '../tables.ts'
import { type Content, isTexts, jsonIn } from './content.ts'
import { FROM_OUTSIDE, type Rule } from './rule.ts'

export const RELEASE_RULES: readonly Rule[] = [
  {
    name: 'revisions_rise',
    promise: 'No revision goes back: none that was released or written down is above that of its record.',
    remedy: FROM_OUTSIDE,
    broken: revisionFaults,
  },
  {
    name: 'releases_gapless',
    promise: 'Releases are numbered from 1 on without a gap.',
    remedy: FROM_OUTSIDE,
    broken: (content) => gaps(content, { table: 'releases', column: 'number' }),
  },
  {
    name: 'released_edition_is_the_fold',
    promise: 'The released edition is what all releases together have moved.',
    remedy: `${FROM_OUTSIDE} Deploying a record again writes its row anew.`,
    broken: foldFaults,
  },
  {
    name: 'artifacts_match_their_digests',
    promise: 'What the newest release froze is there, byte for byte.',
    remedy: 'Stop the daemon and restore a backup; a deploy of everything freezes it anew.',
    broken: artifactFaults,
  },
  {
    name: 'audit_covers_releases',
    promise: 'Every release that somebody asked for has its entry in the audit trail.',
    remedy: FROM_OUTSIDE,
    *broken(content) {
      for (const { number, actor } of content.all<{ number: number; actor: string }>(UNTOLD))
        yield `release ${number} by ${actor} is in no entry`
    },
  },
  {
    name: 'audit_gapless',
    promise:
      'The audit trail only grows: its entries are numbered from 1 on without a gap, but for jumps over a newer world.',
    remedy: FROM_OUTSIDE,
    broken: (content) => gaps(content, { table: 'audit', column: 'id' }, content.count(JUMPED)),
  },
]

/** The first release of an installation is its own doing: nobody asked for it. */
const UNTOLD = `SELECT number, actor FROM releases
  WHERE request_id <> '' AND request_id NOT IN (SELECT request_id FROM audit) ORDER BY number`

const AHEAD = `SELECT domains.domain, domains.revision, released.revision AS other FROM domains
  JOIN released ON released.domain_id = domains.id WHERE released.revision > domains.revision`
const FORGOTTEN = `SELECT domains.domain, domains.revision, MAX(audit.revision_after) AS other FROM domains
  JOIN audit ON audit.domain_id = domains.id GROUP BY domains.id HAVING other > domains.revision`
/** Entries of a release that went back once named the revision that was released again: no record's own went back. */
const BACKWARDS = `SELECT id FROM audit WHERE revision_after < revision_before AND action <> 'go_back'`

interface Outrun {
  readonly domain: string
  readonly revision: number
  readonly other: number
}

function* revisionFaults(content: Content): Iterable<string> {
  for (const { domain, revision, other } of content.all<Outrun>(AHEAD))
    yield `${domain} is at revision ${revision}, and ${other} is released`
  for (const { domain, revision, other } of content.all<Outrun>(FORGOTTEN))
    yield `${domain} is at revision ${revision}, and ${other} was written down`
  for (const { id } of content.all<{ id: number }>(BACKWARDS))
    yield `entry ${id} of the audit trail goes back`
}

/** How many numbers were left out where a person decided between an older database and a newer world. */
const JUMPED = `SELECT COALESCE(SUM(id - 1 - COALESCE((SELECT MAX(before.id) FROM audit AS before WHERE before.id < audit.id), 0)), 0)
  FROM audit WHERE action = 'resume_releases'`

/** A transaction that is rolled back gives its numbers back, so that even a refused write leaves no gap. */
function* gaps(
  content: Content,
  { table, column }: { table: string; column: string },
  jumped = 0,
): Iterable<string> {
  const count = content.count(`SELECT COUNT(*) FROM ${table}`)
  const newest = content.count(`SELECT MAX(${column}) FROM ${table}`)
  const given = content.count(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
  if (count + jumped !== newest) yield `${table} has ${count} rows, and the newest is ${newest}`
  if (newest !== given) yield `${table} ends at ${newest}, and ${given} were given`
}

/**
 * The newest row of each domain that a release ever moved, by two seeks each: grouping all rows would read the whole
 * history (see `released-at.ts`).
 */
const FOLD = `WITH RECURSIVE ever (domain_id) AS (
    SELECT MIN(domain_id) FROM release_rows
    UNION ALL
    SELECT (SELECT MIN(next.domain_id) FROM release_rows AS next WHERE next.domain_id > ever.domain_id)
    FROM ever WHERE ever.domain_id IS NOT NULL
  )
  SELECT moved.* FROM ever JOIN release_rows AS moved ON moved.domain_id = ever.domain_id
    AND moved.release = (SELECT MAX(last.release) FROM release_rows AS last WHERE last.domain_id = ever.domain_id)`

function* foldFaults(content: Content): Iterable<string> {
  const moved = new Map(content.all<ReleaseRowsTable>(FOLD).map((row) => [row.domain_id, row]))
  for (const { row } of content.released()) {
    const last = moved.get(row.domain_id)
    moved.delete(row.domain_id)
    const fault = last === undefined ? 'was moved by no release' : differenceOf(row, last)
    if (fault !== null) yield `${row.domain} (${row.domain_id}) ${fault}`
  }
  for (const { domain_id, release, fields } of moved.values())
    if (fields !== null) yield `record ${domain_id}, moved by release ${release}, is missing`
}

function differenceOf(row: ReleasedTable, last: ReleaseRowsTable): string | null {
  if (last.fields === null) return `was taken out by release ${last.release}`
  const column = (['release', 'revision', 'live', 'retired'] as const).find(
    (name) => row[name] !== last[name],
  )
  if (column !== undefined) return `differs in ${column} from what release ${last.release} moved`
  return row.fields === last.fields || sameJson(row.fields, last.fields)
    ? null
    : `differs in its fields from what release ${last.release} moved`
}

function sameJson(a: string, b: string): boolean {
  const [one, other] = [jsonIn(a), jsonIn(b)]
  return one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other)
}

interface Frozen {
  readonly key: string
  readonly digest: string
  readonly manifest: string
}

function* artifactFaults(content: Content): Iterable<string> {
  const newest = content.newestRelease()
  const frozen = content.all<Frozen>(
    'SELECT key, digest, manifest FROM release_artifacts WHERE release = ? ORDER BY key',
    newest,
  )
  for (const { key, digest, manifest } of frozen) {
    const names = jsonIn(manifest)
    const chunks: Uint8Array[] = []
    for (const name of isTexts(names) ? names : []) {
      const bytes = content.one('SELECT bytes FROM blobs WHERE digest = ?', name) as Uint8Array | null
      if (bytes === null) yield `${key}: blob ${name} is missing`
      else if (sha256([bytes]) !== name) yield `${key}: blob ${name} is damaged`
      chunks.push(bytes ?? new Uint8Array())
    }
    if (!isTexts(names) || sha256(chunks) !== digest)
      yield `${key} of release ${newest} is not what was frozen`
  }
}
