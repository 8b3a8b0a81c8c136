/** A holder file reads back what was put there, whichever rows have moved since the one before, and nobody else's. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { worldHolder } from '../../../src/io/files/world-holder.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import { aRow } from '../../fixtures.ts'
import { newFolder } from '../../kit/new-folder.ts'

let directory: string
beforeEach(() => {
  directory = newFolder('holder')
})

const signal = () => AbortSignal.timeout(60_000)
const sign = (text: string) => sha256(['a secret', text])
const rowsOf = (count: number): IntentRow[] =>
  Array.from({ length: count }, (_, i) => aRow({ domain_id: i + 1, domain: `host-${i}.example.com` }))

it('rows that come, go, move and change are the ones that are read', async () => {
  const options = { file: join(directory, 'rules.yml'), installation_id: 'me', watched: false, sign }
  const holder = worldHolder({ world: 'sso', ...options })
  const many = rowsOf(600)
  const moved = { ...many[300]!, revision: 7 }
  const editions: readonly (readonly IntentRow[])[] = [
    [],
    many,
    many.with(300, moved),
    many.toSpliced(0, 1),
    many.slice(0, 256),
    many.slice(0, 257),
    many.toReversed(),
    [],
    many,
  ]
  for (const [number, rows] of editions.entries()) {
    const held = {
      stamp: { installation_id: 'me', number: number + 1, mark: 'abcdef0123456789' },
      release: number,
      rows,
      present: rows.map(({ domain_id }) => domain_id),
      ssh_clients: [],
      people: [{ username: 'jo', revoked: true }],
    }
    await holder.write(held, signal())
    const { stamp, ...content } = held
    expect(await worldHolder({ world: 'sso', ...options }).read(signal())).toMatchObject({
      signed: { stamp, content },
      unsigned: [],
    })
  }
})

describe('the signature', () => {
  const STAMP = { installation_id: 'me', number: 7, mark: 'abcdef0123456789' }
  const CONTENT = { release: 1, rows: rowsOf(2), present: [1, 2], ssh_clients: [], people: [] }
  const holderBy = (signer: (text: string) => string) =>
    worldHolder({
      world: 'sso',
      file: join(directory, 'rules.yml'),
      installation_id: 'me',
      watched: false,
      sign: signer,
    })

  it('is of the whole file: whoever has another secret makes none, and a changed byte breaks it', async () => {
    const holder = holderBy(sign)
    await holder.write({ stamp: STAMP, ...CONTENT }, signal())
    const text = readFileSync(holder.place, 'utf8')
    const forged = [
      text.replace('change=7', 'change=8'),
      text.replace('host-1', 'host-2'),
      text.replace(/ hmac=[0-9a-f]{64}/, ''),
      text.replace(/hmac=[0-9a-f]{64}/, `hmac=${'0'.repeat(64)}`),
    ]
    for (const other of forged) {
      expect(other).not.toBe(text)
      writeFileSync(holder.place, other)
      expect(await holder.stamp(signal())).toMatchObject({ installation_id: 'me', signed: false })
      expect(await holder.read(signal())).toEqual({ signed: null, unsigned: [holder.place] })
    }
    await holderBy((line) => sha256(['another secret', line])).write({ stamp: STAMP, ...CONTENT }, signal())
    expect(await holder.read(signal())).toEqual({ signed: null, unsigned: [holder.place] })
  })

  it('decides which of two files is read, and the number which one stops', async () => {
    const watched = worldHolder({
      world: 'routes',
      file: join(directory, 'traefik', 'routes.yml'),
      installation_id: 'me',
      watched: true,
      sign,
    })
    await watched.write({ stamp: STAMP, ...CONTENT }, signal())
    const own = watched.place
    const beside = join(directory, 'traefik', basename(own))
    mkdirSync(dirname(beside), { recursive: true })
    writeFileSync(beside, readFileSync(own, 'utf8').replace('change=7', 'change=99'))
    expect(await watched.stamp(signal())).toMatchObject({ number: 99, signed: false })
    expect(await watched.read(signal())).toMatchObject({
      signed: { path: own, stamp: { number: 7 } },
      unsigned: [beside],
    })
  })
})
