/**
 * The holder file on a real file system: one line with the stamp, one with what was released. Beside a file that a proxy
 * watches it stands in the sibling folder where ours go, so that nothing reloads for a number; where that folder is on
 * another file system (a mount of its own), it stands in the folder itself, which lives as long as the file does.
 *
 * The signature is over the stamp and the digest of the rest. Files of earlier versions have none.
 */
import { timingSafeEqual } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import type { IntentRow } from '../../model/intent.ts'
import { readStamp, stampText, type WorldStamp } from '../../model/world-stamp.ts'
import type { HeldContent, Sign, WorldHolder } from '../../ports/world-holder.ts'
import { resolveDirectory } from './directory.ts'
import { glanceAt } from '../../kernel/glance.ts'
import { lookAt } from './look.ts'
import { siblingOf, Workplace } from './workplace.ts'
import { writeAtomically } from './write-atomically.ts'

const MAX_BYTES = 256 * 1024 * 1024
/** Names of people and what is reachable: nobody else's business. */
const MODE = 0o600
const HEAD = 'plumbline-world 1'

export interface HolderOptions {
  readonly world: string
  /** The file of the world that it stands beside. */
  readonly file: string
  readonly installation_id: string
  /** A proxy watches the folder of the file. */
  readonly watched: boolean
  readonly sign: Sign
}

export function worldHolder({ world, file, installation_id, watched, sign }: HolderOptions): WorldHolder {
  const { directory, base } = resolveDirectory(file)
  const name = `.${base}.${sha256([installation_id]).slice(0, 12)}.plumbline`
  const workplace = new Workplace(directory, watched)
  const sibling = watched ? siblingOf(directory) : null
  const places = [...(sibling === null ? [] : [join(sibling, name)]), join(directory, name)]
  const newestFirst = async (signal: AbortSignal): Promise<readonly Held[]> => {
    const found: Held[] = []
    for (const place of places) {
      const held = await readHeld(place, sign, signal)
      if (held !== null) found.push(held)
    }
    return found.sort((a, b) => b.stamp.number - a.stamp.number)
  }
  return {
    world,
    place: places[0]!,
    glance() {
      const glances = places.map(glanceAt)
      return glances.includes(null) ? null : glances.join(' ')
    },
    async stamp(signal) {
      const [newest] = await newestFirst(signal)
      return newest === undefined ? null : { ...newest.stamp, signed: newest.is_signed }
    },
    async read(signal) {
      const found = await newestFirst(signal)
      const signed = found.find(({ is_signed }) => is_signed)
      return {
        signed:
          signed === undefined
            ? null
            : { path: signed.place, stamp: signed.stamp, content: contentOf(signed.body) },
        unsigned: found.flatMap(({ is_signed, place }) => (is_signed ? [] : [place])),
      }
    },
    async write({ stamp, ...content }, signal) {
      const [best] = await workplace.folders()
      const folder = best !== undefined && sameDevice(best, directory) ? best : directory
      const body = await bodyOf(content)
      const digest = sha256(body)
      const signature = sign(signedText(stamp, digest))
      const head = `${HEAD} ${stampText(stamp)} hmac=${signature} sha256=${digest}\n`
      await writeAtomically(join(folder, name), [Buffer.from(head), ...body], {
        mode: MODE,
        signal,
      })
    },
  }
}

function sameDevice(one: string, other: string): boolean {
  try {
    return lstatSync(one).dev === lstatSync(other).dev
  } catch {
    return false
  }
}

interface Held {
  readonly place: string
  readonly stamp: WorldStamp
  readonly is_signed: boolean
  readonly body: Uint8Array
}

const signedText = (stamp: WorldStamp, digest: string): string =>
  `${HEAD} ${stampText(stamp)} sha256=${digest}`

async function readHeld(place: string, sign: Sign, signal: AbortSignal): Promise<Held | null> {
  const look = await lookAt(place, { max_bytes: MAX_BYTES, known: null }, signal)
  if (look.kind === 'absent') return null
  if (look.kind !== 'file')
    throw notUnderstood(place, `is a ${look.kind === 'intruder' ? look.what : 'giant'}`)
  const bytes = Buffer.from(look.bytes)
  const end = bytes.indexOf('\n')
  const head = bytes.toString('latin1', 0, end < 0 ? 0 : Math.min(end, 512))
  const stamp = head.startsWith(`${HEAD} `) ? readStamp(head) : null
  const [, digest] = / sha256=([0-9a-f]{64})$/.exec(head) ?? []
  if (stamp === null || digest === undefined)
    throw notUnderstood(place, 'does not begin with a stamp of ours')
  const body = bytes.subarray(end + 1)
  const [, signature = ''] = / hmac=([0-9a-f]{64}) /.exec(head) ?? []
  const is_signed = isSame(signature, sign(signedText(stamp, digest))) && sha256([body]) === digest
  return { place, stamp, is_signed, body }
}

/** In a time that tells nothing of where they part. */
const isSame = (signature: string, ours: string): boolean =>
  signature.length === ours.length && timingSafeEqual(Buffer.from(signature), Buffer.from(ours))

function contentOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const notUnderstood = (place: string, fault: string): Failure =>
  new Failure(
    'storage_unwritable',
    `${place} ${fault}, so how far the world is there cannot be told and nothing is written there. ` +
      `Put it back, or remove ${basename(place)} from ${dirname(place)} if this database is known to be the newest.`,
  )

/** Rows go together, so that of thousands only the part is made anew in which one has moved. */
const ROWS_IN_PART = 256

interface Part {
  readonly rows: readonly IntentRow[]
  readonly bytes: Buffer
}

/** The rows as text, in parts; a row is the same object for as long as it is the same row. */
class RowParts {
  #kept: readonly Part[] = []

  /** Between two parts that are made anew others have their turn. */
  async of(rows: readonly IntentRow[]): Promise<readonly Buffer[]> {
    const parts: Part[] = []
    for (let from = 0; from < rows.length; from += ROWS_IN_PART) {
      const some = rows.slice(from, from + ROWS_IN_PART)
      const before = this.#kept[parts.length]
      const is_same = before?.rows.length === some.length && some.every((row, i) => row === before.rows[i])
      if (!is_same) await othersTurn(rows.length)
      parts.push(is_same ? before : { rows: some, bytes: bytesOf(some, from === 0) })
    }
    this.#kept = parts
    return parts.map(({ bytes }) => bytes)
  }
}

const bytesOf = (rows: readonly IntentRow[], are_first: boolean): Buffer =>
  Buffer.from((are_first ? '' : ',\n') + rows.map((row) => JSON.stringify(row)).join(',\n'))

/** Of the edition that was written last, for all holders: they hold the same. */
const PARTS = new RowParts()

const bodyOf = async ({
  release,
  rows,
  present,
  ssh_clients,
  people,
}: HeldContent): Promise<readonly Buffer[]> => [
  Buffer.from(`{"release":${release},"rows":[\n`),
  ...(await PARTS.of(rows)),
  Buffer.from(
    `\n],"present":${JSON.stringify(present)},"ssh_clients":${JSON.stringify(ssh_clients)},` +
      `"people":${JSON.stringify(people)}}\n`,
  ),
]
