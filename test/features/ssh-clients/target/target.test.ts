/** The gateway's file is brought to what the clients are, nothing else in it is touched, and a second look finds nothing to do. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Target } from '../../../../src/engine/target.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { blockOf } from '../../../../src/features/ssh-clients/model/block.ts'
import type { SshClient } from '../../../../src/model/ssh/client.ts'
import { lineOf } from '../../../../src/features/ssh-clients/model/line.ts'
import { parsePublicKey } from '../../../../src/model/ssh/public-key.ts'
import {
  DESIRED,
  desiredBytes,
  type GatewayDesired,
} from '../../../../src/features/ssh-clients/target/desire.ts'
import type { GatewayState } from '../../../../src/features/ssh-clients/target/gateway-state.ts'
import { gatewayTarget } from '../../../../src/features/ssh-clients/target/target.ts'
import { failureIn } from '../../../model/ssh/failure-in.ts'
import { ED25519, OTHER, P256 } from '../../../model/ssh/keys.ts'
import { NO_OPTIONS } from '../../../model/ssh/options.ts'
import { MemoryKeys } from './memory-keys.ts'

const clientOf = (line: string, name: string): SshClient => {
  const parsed = parsePublicKey(line)
  if (!parsed.ok) throw new Error(parsed.msg)
  const { comment: _, ...key } = parsed.value
  return { ...key, name, options: NO_OPTIONS, revision: 1, created_at: 0, updated_at: 0 }
}
const ALICE = clientOf(ED25519, 'alice')
const BOB = clientOf(P256, 'bob')
const FOREIGN = `# mine\r\n${OTHER} carol`
const { signal } = new AbortController()

let file: MemoryKeys
let clients: SshClient[]
let target: Target<GatewayDesired, GatewayState, null>

beforeEach(() => {
  file = new MemoryKeys()
  clients = [ALICE, BOB]
  const store = { sshClients: async () => clients }
  target = gatewayTarget({ file, store, clock: systemClock, every_ms: 1000, stamp: async () => null })
})

async function seen(): Promise<{ state: GatewayState; digest: string }> {
  const observation = await target.observe(signal)
  if (!observation.known) throw new Error(observation.detail)
  return observation
}
const differences = async () => target.diff(DESIRED, (await seen()).state)
const obstacles = async () =>
  (target.obstacles?.(DESIRED, (await seen()).state) ?? []).map(({ failure }) => failure.message)
const explained = async () => {
  const observed = (await seen()).state
  return target.explain({ working: DESIRED, released: DESIRED, observed, rows_moved: false }).differences
}

async function pass(): Promise<void> {
  await target.apply(await differences(), DESIRED, { signal, evidence: false })
  expect(await differences()).toEqual([])
  expect(await obstacles()).toEqual([])
}

describe('what stands there is brought to what the clients are', () => {
  const OURS = blockOf([lineOf(ALICE), lineOf(BOB)])
  it.each([
    ['no file', null, OURS],
    ['an empty file', '', OURS],
    ['foreign lines alone', FOREIGN, `${FOREIGN}\n${OURS}`],
    ['an empty block', `${FOREIGN}\n${blockOf([])}# after`, `${FOREIGN}\n${OURS}# after`],
    ['one line gone', `${blockOf([lineOf(BOB)])}${FOREIGN}`, `${OURS}${FOREIGN}`],
    ['a line of somebody else', blockOf([lineOf(ALICE), `${OTHER} mallory`, lineOf(BOB)]), OURS],
    ['another order', blockOf([lineOf(BOB), lineOf(ALICE)]), OURS],
    ['a line twice', blockOf([lineOf(ALICE), lineOf(BOB), lineOf(ALICE)]), OURS],
    ['options taken off', blockOf([lineOf(ALICE).replace('restrict ', ''), lineOf(BOB)]), OURS],
    ['options added', blockOf([`command="id",${lineOf(ALICE)}`, lineOf(BOB)]), OURS],
    ['a comment between', blockOf([lineOf(ALICE), '# hello', lineOf(BOB)]), OURS],
    ['blank lines between', blockOf(['', lineOf(ALICE), '', lineOf(BOB)]), OURS],
    ['other line ends', OURS.replaceAll('\n', '\r\n'), OURS],
    ['no newline at the end', OURS.trimEnd(), OURS],
  ])('%s', async (_what, before, after) => {
    if (before !== null) file.put(before)
    await pass()
    expect(file.text).toBe(after)
    expect(file.writes).toBe(1)
    await pass()
    expect(file.writes).toBe(1)
  })

  it('without clients a file that has no block of ours is left alone, and one that has keeps an empty one', async () => {
    clients = []
    file.put(FOREIGN)
    await pass()
    expect(file.text).toBe(FOREIGN)
    file.put(`${FOREIGN}\n${OURS}`)
    await pass()
    expect(file.text).toBe(`${FOREIGN}\n${blockOf([])}`)
  })
})

describe('what differs is told line by line', () => {
  it('with its cause', async () => {
    file.put(blockOf([`${OTHER} mallory`, lineOf(BOB).replace('restrict', 'restrict,pty')]))
    expect((await explained()).map(({ item, cause }) => [item.split(' ')[1], cause])).toEqual([
      ['mallory', 'edited'],
      ['bob', 'edited'],
      ['alice', 'lost'],
    ])
  })

  it('a stranger’s line is shown without what a terminal would act upon', async () => {
    clients = []
    file.put(blockOf(['\u001b[2J no key \x07']))
    expect(await differences()).toMatchObject([{ verb: 'delete', before: '?[2J no key ?' }])
  })

  it('foreign lines come and go without anybody having touched ours', async () => {
    await pass()
    const { digest } = await seen()
    file.put(`${FOREIGN}\n${file.text}# more\n`)
    expect((await seen()).digest).toBe(digest)
    expect(await differences()).toEqual([])
  })
})

describe('what only a person can move out of the way', () => {
  it.each([
    ['a block without its end', () => file.put(`${blockOf([]).split('\n')[0]}\n`), /ends nowhere/],
    ['a symbolic link', () => void (file.stands = { kind: 'intruder', what: 'symlink' }), /is a symlink/],
    ['far too many bytes', () => void (file.stands = { kind: 'oversize', size: 9e9 }), /9000000000 bytes/],
  ])('%s', async (_what, put, words) => {
    put()
    const before = file.stands
    expect(await differences()).toEqual([])
    expect((await obstacles()).join()).toMatch(words)
    expect(await explained()).toMatchObject([{ cause: 'foreign_owner' }])
    await target.apply([], DESIRED, { signal, evidence: false })
    expect(file.stands).toBe(before)
  })

  it('is nothing of ours while there are no clients', async () => {
    clients = []
    file.stands = { kind: 'intruder', what: 'symlink' }
    expect(await obstacles()).toEqual([])
  })
})

it('a gateway that cannot be read is unknown, and one that turns us away is refused', async () => {
  file.trouble = new Failure('component_unavailable', 'ssh: not reached')
  expect(await target.observe(signal)).toMatchObject({
    known: false,
    reason: 'unreachable',
    detail: 'ssh: not reached',
  })
  file.trouble = new Failure('provider_credentials', 'ssh: another host key')
  expect(await target.observe(signal)).toMatchObject({ known: false, reason: 'refused' })
})

describe('somebody else writes at the same time', () => {
  it('and both are kept', async () => {
    file.put('# one\n')
    file.meanwhile.push('# one\n# two\n')
    await pass()
    expect(file.text).toBe(`# one\n# two\n${blockOf([lineOf(ALICE), lineOf(BOB)])}`)
  })

  it('again and again: then it is given up, and theirs stands', async () => {
    file.put('# 0\n')
    file.meanwhile.push('# 1\n', '# 2\n', '# 3\n')
    await expect(target.apply(await differences(), DESIRED, { signal, evidence: false })).rejects.toThrow(
      'faster',
    )
    expect(file.text).toBe('# 3\n')
  })

  it('and removes a client meanwhile: the older comparison does not bring it back', async () => {
    const stale = await differences()
    clients = [BOB]
    await target.apply(stale, DESIRED, { signal, evidence: false })
    expect(file.text).toBe(blockOf([lineOf(BOB)]))
  })
})

describe('a client that the database spoilt is not written', () => {
  it.each<[string, Partial<SshClient>]>([
    ['a newline in its name', { name: `alice\n${OTHER}` }],
    ['a blank in its name', { name: 'alice ' }],
    ['a quote in its command', { options: { ...NO_OPTIONS, command: 'id" ssh-rsa' } }],
    ['a newline in its command', { options: { ...NO_OPTIONS, command: `id\n${OTHER}` } }],
    ['another key under its fingerprint', { key: OTHER.split(' ')[1]! }],
    ['a type that is not the key’s', { type: 'ssh-rsa' }],
    ['a weak spelling of its key', { key: `${ALICE.key}=` }],
  ])('%s', (_what, spoilt) => {
    const failure = failureIn(() =>
      desiredBytes({ kind: 'none', before: FOREIGN }, [BOB, { ...ALICE, ...spoilt }]),
    )
    expect(failure.code).toBe('internal')
  })
})
