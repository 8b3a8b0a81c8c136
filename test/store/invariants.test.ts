/** Each invariant of the database, broken alone, is named with what breaks it and what helps; what cannot be read is not known. */
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sqliteInvariants } from '../../src/store/invariants.ts'
import { INVARIANT_RULES } from '../../src/store/invariants/list.ts'
import { lookInto } from '../../src/store/invariants/look.ts'
import { digestAllRecords } from '../../src/store/intent/record-digest.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { copyOf, makeEstate } from './invariants-estate.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

let estate: string
const copies: string[] = []

beforeAll(async () => {
  estate = await makeEstate()
})
afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true, force: true })
})
afterAll(() => rmSync(estate, { recursive: true, force: true }))

function copy(): string {
  const directory = copyOf(estate)
  copies.push(directory)
  return directory
}

/** As somebody would who has the file: no reference is checked. With the digests that a call would have written. */
function edit(directory: string, sql: string, digests: 'renewed' | 'left' = 'renewed'): void {
  const connection = new Database(join(directory, 'plumbline.db'))
  connection.pragma('foreign_keys = OFF')
  connection.exec(sql)
  if (digests === 'renewed') digestAllRecords(connection)
  connection.close()
}

const look = (directory: string, now = systemClock.now()) => lookInto(directory, { now, without: [] })
const namesOf = (looked: readonly { readonly name: string }[]): string[] => looked.map(({ name }) => name)
const NAMES = namesOf(INVARIANT_RULES)

describe('rules of the database', () => {
  it('all hold over a real estate, each under a name of its own', () => {
    expect(look(estate)).toEqual(NAMES.map((name) => ({ name, holds: true, detail: null })))
    expect(new Set(NAMES).size).toBe(NAMES.length)
    for (const { promise, remedy } of INVARIANT_RULES) {
      expect(promise).toMatch(/^[A-Z].*\.$/)
      expect(remedy).toMatch(/^[A-Z].*\.$/)
    }
  })

  itOneIn(4).each<[name: string, how: string, sql: string, told: string | RegExp]>(BREAKS())(
    '%s is broken by %s, and nothing else is',
    (name, _how, sql, told) => {
      const directory = copy()
      edit(directory, sql, name === 'records_match_their_digests' ? 'left' : 'renewed')
      const wrong = look(directory).filter(({ holds }) => holds !== true)
      expect(namesOf(wrong)).toEqual([name])
      expect(wrong[0]).toMatchObject({ holds: false, detail: expect.stringMatching(told) as string })
      const { remedy } = INVARIANT_RULES.find((rule) => rule.name === name)!
      expect(wrong[0]!.detail).toContain(remedy)
      expect(wrong[0]!.detail).not.toContain('hunter2')
    },
  )

  it('has a break of its own for every rule', () => {
    const tried = new Set(BREAKS().map(([name]) => name))
    // Pages are broken below the SQL, and the other two by files.
    expect(NAMES.filter((name) => !tried.has(name))).toEqual(['installation_matches', 'pages_intact'])
  })

  it('a database of another installation is told from our own', () => {
    const directory = copy()
    writeFileSync(join(directory, 'installation.json'), JSON.stringify({ id: 'another' }))
    expect(namesOf(look(directory).filter(({ holds }) => holds !== true))).toEqual(['installation_matches'])
  })

  it('a broken page is found by reading them all, and what needs no part of it still holds', () => {
    const directory = copy()
    const path = join(directory, 'plumbline.db')
    const connection = new Database(path, { readonly: true })
    const page = connection
      .prepare<[], number>(`SELECT rootpage FROM sqlite_schema WHERE name = 'plans_expires_at'`)
      .pluck()
      .get()!
    connection.close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, (page - 1) * 4096, page * 4096)
    writeFileSync(path, bytes)
    const wrong = look(directory).filter(({ holds }) => holds !== true)
    expect(wrong).toEqual([
      { name: 'pages_intact', holds: false, detail: expect.stringContaining('restore a backup') as string },
    ])
  })

  itInDepth(
    'damage that is met by chance has all pages read, though they were read a short while ago',
    () => {
      const directory = copy()
      const path = join(directory, 'plumbline.db')
      const connection = new Database(path, { readonly: true })
      const page = connection
        .prepare<[], number>(`SELECT rootpage FROM sqlite_schema WHERE name = 'released'`)
        .pluck()
        .get()!
      connection.close()
      const bytes = readFileSync(path)
      bytes.fill(0xff, (page - 1) * 4096, page * 4096)
      writeFileSync(path, bytes)
      const looked = lookInto(directory, { now: systemClock.now(), without: ['pages_intact'] })
      expect(looked.find(({ name }) => name === 'pages_intact')).toMatchObject({ holds: false })
      expect(looked.find(({ name }) => name === 'entrypoints_unique')).toMatchObject({ holds: null })
    },
  )

  itOneIn(2).each([
    ['is none', (path: string) => writeFileSync(path, 'id,domain\n'.repeat(1000))],
    ['was cut', (path: string) => truncateSync(path, 4096 * 3)],
  ])('a database file that %s has no sound pages', (_, spoil) => {
    const directory = copy()
    spoil(join(directory, 'plumbline.db'))
    const looked = look(directory)
    expect(looked.find(({ name }) => name === 'pages_intact')).toMatchObject({ holds: false })
    expect(looked.find(({ name }) => name === 'records_valid')?.holds).not.toBe(true)
  })

  it('a file in which nothing was committed yet is no damage', () => {
    const directory = copy()
    rmSync(join(directory, 'installation.json'))
    writeFileSync(join(directory, 'plumbline.db'), '')
    expect(new Set(look(directory).map(({ holds }) => holds))).toEqual(new Set([null]))
  })

  it('a write that was cut off and is still to be taken back leaves nothing known, and nothing broken', () => {
    const writing = copy()
    const connection = new Database(join(writing, 'plumbline.db'))
    connection.pragma('journal_mode = DELETE')
    connection.pragma('cache_size = 1')
    connection.pragma('cache_spill = 1')
    connection.exec(`BEGIN; UPDATE audit SET detail = detail || ' '`)
    connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO events (at, kind, message, facts) SELECT i, 'x', hex(randomblob(2000)), '{}' FROM n`)
    const left = copy()
    for (const name of ['plumbline.db', 'plumbline.db-journal'])
      copyFileSync(join(writing, name), join(left, name))
    connection.close()
    for (const { holds, detail } of look(left)) {
      expect(holds).toBeNull()
      expect(detail).toContain('Start the daemon')
    }
  })

  it('a step that is open for less than an hour is under way', () => {
    const directory = copy()
    const at = systemClock.now() - 59 * 60_000
    edit(directory, STEP(String(at)))
    expect(look(directory).filter(({ holds }) => holds !== true)).toEqual([])
    expect(namesOf(look(directory, at + 61 * 60_000).filter(({ holds }) => holds !== true))).toEqual([
      'journal_steps_closed',
    ])
  })
})

const STEP = (at: string): string =>
  `INSERT INTO journal (key, component, release, differences, before, after, at)
   VALUES ('routes', 'routes', 1, '[]', '', '', ${at})`

function BREAKS(): [name: string, how: string, sql: string, told: string | RegExp][] {
  const both = (change: string, where: string): string =>
    `UPDATE released SET ${change} WHERE ${where};
     UPDATE release_rows SET fields = released.fields FROM released
     WHERE released.domain_id = release_rows.domain_id AND released.release = release_rows.release;`
  return [
    [
      'schema_current',
      'an index that is gone',
      'DROP INDEX released_plain_tcp',
      'released_plain_tcp is missing',
    ],
    [
      'schema_current',
      'a trigger',
      'CREATE TRIGGER t AFTER DELETE ON audit BEGIN SELECT 1; END',
      't is not ours',
    ],
    ['schema_current', 'a column', 'ALTER TABLE edges ADD COLUMN colour TEXT', 'edges was altered'],
    [
      'schema_current',
      'another text of a migration',
      `UPDATE migrations SET sha256 = 'x' WHERE number = 2`,
      'another text',
    ],
    [
      'schema_current',
      'a newer program',
      `INSERT INTO migrations VALUES (9999, '9999-later.sql', 'x', 1)`,
      '9999-later.sql',
    ],
    [
      'foreign_keys_hold',
      'an artifact of no release',
      `INSERT INTO release_artifacts VALUES (77, 'x', 'x', '[]')`,
      'release_artifacts refers to none of releases',
    ],
    [
      'texts_parse',
      'a cut text',
      `UPDATE audit SET detail = '{"a' WHERE id = 2`,
      'audit.detail cannot be read in 1 rows',
    ],
    [
      'names_unique_and_canonical',
      'a name in upper case',
      `UPDATE domains SET domain = 'IDLE.example.com' WHERE domain = 'idle.example.com'`,
      'IDLE.example.com',
    ],
    [
      'names_unique_and_canonical',
      'a released name that its fields do not have',
      `UPDATE released SET domain = 'other.example.com' WHERE domain = 'a.example.com'`,
      'is called other.example.com and a.example.com',
    ],
    [
      'records_valid',
      'a backend that nobody may connect to',
      `UPDATE domains SET backend_host = '169.254.169.254' WHERE domain = 'idle.example.com'`,
      /idle\.example\.com \(3\): backend_host/,
    ],
    [
      'records_valid',
      'a TCP route with a middleware',
      `UPDATE domains SET middleware_config = '{"extra_middlewares":["compress"]}' WHERE domain = 'ssh.example.com'`,
      'ssh.example.com',
    ],
    [
      'records_valid',
      'an origin that is not in its one spelling',
      `UPDATE domains SET cors_origin = 'HTTPS://A.example.com' WHERE domain = 'idle.example.com'`,
      'cors_origin is not in its one spelling',
    ],
    [
      'records_valid',
      'fields that cannot be read',
      `UPDATE domains SET tags = '[' WHERE domain = 'idle.example.com'`,
      'cannot be read',
    ],
    [
      'records_valid',
      'a released port that is none',
      both(`fields = json_set(fields, '$.backend_port', 0)`, `domain = 'a.example.com'`),
      /a\.example\.com \(1, released\): backend_port/,
    ],
    [
      'records_valid',
      'an active record that was never activated',
      `UPDATE domains SET activated_at = NULL WHERE domain = 'a.example.com'`,
      'never activated',
    ],
    [
      'records_match_their_digests',
      'a bit that flipped',
      `UPDATE domains SET backend_host = '10.0.0.4' WHERE domain = 'idle.example.com'`,
      'idle.example.com .3. does not fit its digest',
    ],
    [
      'entrypoints_unique',
      'two released routes on one entrypoint',
      both(
        `plain_tcp_entrypoint = NULL, fields = json_set(fields, '$.tcp_entrypoint', 'ssh')`,
        `domain = 'smtp.example.com'`,
      ),
      'share ssh',
    ],
    [
      'ids_never_reused',
      'a counter that was set back',
      `UPDATE sqlite_sequence SET seq = 3 WHERE name = 'domains'`,
      'domains knows record 5, and 3 were given',
    ],
    [
      'active_records_released',
      'a record that was switched on by hand',
      `UPDATE domains SET status = 'active', activated_at = 1 WHERE domain = 'idle.example.com'`,
      'idle.example.com (3) is active and not released'.replaceAll(/[()]/g, '.'),
    ],
    [
      'active_records_released',
      'a record that was taken away by hand',
      `DELETE FROM domains WHERE domain = 'ssh.example.com'`,
      'is released and not active',
    ],
    [
      'revisions_rise',
      'a record that was set back',
      `UPDATE domains SET revision = 1 WHERE domain = 'a.example.com'`,
      'a.example.com is at revision 1, and 3 is released',
    ],
    [
      'revisions_rise',
      'an entry that goes back',
      `UPDATE audit SET revision_before = 9 WHERE id = (SELECT MAX(id) FROM audit WHERE revision_after IS NOT NULL)`,
      'goes back',
    ],
    [
      'releases_gapless',
      'a release that is gone',
      `DELETE FROM release_rows WHERE release = 1; DELETE FROM release_artifacts WHERE release = 1;
       DELETE FROM releases WHERE number = 1`,
      'releases has',
    ],
    [
      'released_edition_is_the_fold',
      'a released row that was edited',
      `UPDATE released SET fields = json_set(fields, '$.auth_required', json('false')) WHERE domain = 'a.example.com'`,
      'differs in its fields',
    ],
    [
      'released_edition_is_the_fold',
      'a released row that was retired by hand',
      `UPDATE released SET retired = 1 WHERE domain = 'a.example.com'`,
      'differs in retired',
    ],
    [
      'released_edition_is_the_fold',
      'a row of the history that is gone',
      `DELETE FROM release_rows WHERE domain_id = 1`,
      'was moved by no release',
    ],
    [
      'artifacts_match_their_digests',
      'bytes that were changed',
      `UPDATE blobs SET bytes = X'00' WHERE digest = (SELECT json_extract(manifest, '$[0]') FROM release_artifacts
       WHERE key = 'routes' ORDER BY release DESC LIMIT 1)`,
      'is damaged',
    ],
    [
      'artifacts_match_their_digests',
      'a manifest that was changed',
      `UPDATE release_artifacts SET manifest = '[]' WHERE key = 'routes'
       AND release = (SELECT MAX(number) FROM releases)`,
      'is not what was frozen',
    ],
    [
      'audit_covers_releases',
      'a release that nobody noted',
      `UPDATE audit SET request_id = 'x' WHERE request_id = (SELECT request_id FROM releases WHERE number = 2)`,
      'release 2 by',
    ],
    [
      'audit_gapless',
      'an entry that is gone',
      `DELETE FROM audit WHERE action = 'create' AND domain = 'idle.example.com'`,
      'audit has',
    ],
    [
      'journal_steps_closed',
      'a step that nobody ended',
      STEP('1000'),
      'routes is open since 1970-01-01T00:00:01',
    ],
    [
      'applied_not_ahead',
      'a release that was never made',
      `UPDATE applied SET release = 99 WHERE key = 'routes'`,
      'applied names release 99',
    ],
    ['tokens_hashed', 'a secret in plain', `UPDATE ddns_tokens SET digest = 'hunter2'`, 'ddns_tokens: t1'],
    [
      'tokens_hashed',
      'a secret of a heartbeat',
      `UPDATE heartbeat_tokens SET digest = 'hunter2'`,
      'heartbeat_tokens: h1',
    ],
    [
      'tokens_hashed',
      'a secret of a session',
      `UPDATE console_sessions SET digest = 'hunter2'`,
      'console_sessions: s1',
    ],
    [
      'tokens_hashed',
      'a secret of the page of a session',
      `UPDATE console_sessions SET secret_digest = 'hunter2'`,
      'console_sessions: the secret of s1',
    ],
    ['tokens_hashed', 'a secret of an edge', `UPDATE edge_tokens SET digest = 'hunter2'`, 'edge_tokens: e1'],
    [
      'tokens_hashed',
      'a password in plain',
      `UPDATE people SET password_hash = 'hunter2' WHERE username = 'anna'`,
      'anna',
    ],
    [
      'dns_ledger_sound',
      'a set outside of its zone',
      `UPDATE dns_records SET zone = 'example.net' WHERE type = 'AAAA'`,
      'is not in the zone example.net',
    ],
    [
      'dns_ledger_sound',
      'an address of the other family',
      `UPDATE dns_records SET "values" = '["203.0.113.7"]' WHERE type = 'AAAA'`,
      'no addresses of its type',
    ],
    [
      'dns_ledger_sound',
      'a set that is there twice',
      `INSERT INTO dns_records SELECT account, 'example.com', 'A.example.com', type, domain_id, state, ttl, "values",
       proxied, ids, sent_at FROM dns_records WHERE name = 'a.example.com' AND type = 'A'`,
      'is not in its one spelling',
    ],
    [
      'certificates_sound',
      'an end before the beginning',
      'UPDATE certificates SET not_after = 1',
      'ends before it begins',
    ],
    [
      'certificates_sound',
      'other names',
      `UPDATE certificates SET names = '["x.example.net"]'`,
      'for other names',
    ],
    [
      'people_unique',
      'the same name in another case',
      `UPDATE people SET username = 'ANNA' WHERE username = 'Bob'`,
      'anna',
    ],
    [
      'people_unique',
      'groups that cannot be read',
      `UPDATE people SET groups = 'x' WHERE username = 'anna'`,
      'anna',
    ],
    [
      'ssh_clients_sound',
      'another key',
      `UPDATE ssh_clients SET fingerprint = 'SHA256:x'`,
      'SHA256:x is another key',
    ],
    ['edges_sound', 'a name in upper case', `UPDATE edges SET hostname = 'FRA.example.com'`, 'one spelling'],
  ]
}

/** Stands still until it is moved. */
function handClock(): Clock & { at: number } {
  return {
    at: systemClock.now(),
    now() {
      return this.at
    },
    elapsed: () => 0,
    sleep: () => Promise.reject(new Error('nothing here waits')),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
const forever = new AbortController().signal

describe('the check beside the work', () => {
  itInDepth(
    'reads what is heavy once a day while it holds, and at every look while it does not',
    async () => {
      const directory = copy()
      const clock = handClock()
      const check = sqliteInvariants({ directory, clock })
      const texts = async () => (await check(forever)).find(({ name }) => name === 'texts_parse')!
      const first = clock.at
      expect(await texts()).toMatchObject({ holds: true, checked_at: first })
      edit(directory, `UPDATE audit SET detail = '{' WHERE id = 2`)
      clock.at += 60_000
      expect(await texts()).toMatchObject({ holds: true, checked_at: first })
      expect((await check(forever)).find(({ name }) => name === 'records_valid')?.checked_at).toBe(clock.at)
      clock.at += DAY_MS
      expect(await texts()).toMatchObject({ holds: false, checked_at: clock.at })
      edit(directory, `UPDATE audit SET detail = '{}' WHERE id = 2`)
      clock.at += 1000
      expect(await texts()).toMatchObject({ holds: true, checked_at: clock.at })
    },
  )

  it('does not know of a file that has vanished, and knows again when it is back', async () => {
    const directory = copy()
    const path = join(directory, 'plumbline.db')
    const check = sqliteInvariants({ directory, clock: systemClock })
    renameSync(path, `${path}.gone`)
    const all = await check(forever)
    expect(namesOf(all)).toEqual(NAMES)
    for (const { holds, detail } of all) {
      expect(holds).toBeNull()
      expect(detail).toContain(`${path} could not be read: it is missing`)
    }
    renameSync(`${path}.gone`, path)
    expect((await check(forever)).every(({ holds }) => holds === true)).toBe(true)
  })

  itInDepth('does not know of a file that another process has locked', async () => {
    const directory = copy()
    const thief = new Database(join(directory, 'plumbline.db'))
    thief.pragma('locking_mode = EXCLUSIVE')
    thief.exec(`BEGIN EXCLUSIVE; UPDATE meta SET value = value; COMMIT`)
    try {
      const all = await sqliteInvariants({ directory, clock: systemClock })(forever)
      for (const { holds, detail } of all) {
        expect(holds).toBeNull()
        expect(detail).toContain('another process has locked it')
      }
    } finally {
      thief.close()
    }
  })

  itInDepth('throws for nothing but an abort, whose reason it gives', async () => {
    const check = sqliteInvariants({ directory: copy(), clock: systemClock })
    const reason = new Error('enough')
    await expect(check(AbortSignal.abort(reason))).rejects.toBe(reason)
    const leaver = new AbortController()
    const left = check(leaver.signal)
    const stayed = check(forever)
    leaver.abort(reason)
    await expect(left).rejects.toBe(reason)
    expect((await stayed).every(({ holds }) => holds === true)).toBe(true)
    const alone = new AbortController()
    const given_up = check(alone.signal)
    alone.abort(reason)
    await expect(given_up).rejects.toBe(reason)
    expect((await check(forever)).every(({ holds }) => holds === true)).toBe(true)
  })

  it('knows nothing from a look that died, and the next one looks anew', async () => {
    const check = sqliteInvariants({ directory: copy(), clock: systemClock })
    await expect.poll(() => childrenOf(process.pid)).toEqual([])
    const looking = check(forever)
    process.kill(childrenOf(process.pid)[0]!, 'SIGSEGV')
    for (const { holds, detail } of await looking) {
      expect(holds).toBeNull()
      expect(detail).toContain('ended without an answer (SIGSEGV)')
    }
    expect((await check(forever)).every(({ holds }) => holds === true)).toBe(true)
  })

  itInDepth('can be given up at any moment, and leaves no process behind', async () => {
    const check = sqliteInvariants({ directory: copy(), clock: systemClock })
    // The last look of the test before may be on its way out.
    await expect.poll(() => childrenOf(process.pid)).toEqual([])
    for (let ms = 0; ms < 200; ms += 10) {
      const asker = new AbortController()
      const looking = check(asker.signal).catch(() => 'given up')
      await systemClock.sleep(ms)
      asker.abort(new Error('enough'))
      const came_to = await looking
      if (came_to === 'given up') expect(childrenOf(process.pid)).toEqual([])
      else await expect.poll(() => childrenOf(process.pid)).toEqual([])
    }
  })
})

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
