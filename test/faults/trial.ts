/** One run that goes wrong, what comes after it, and what was broken by it. */
import { appendFileSync } from 'node:fs'
import { aftermathIn, routesDigest } from './aftermath.ts'
import type { Fault } from './failpoints.ts'
import { FLOW, STEPS } from './flow.ts'
import { type Broken, brokenIn, type Death, type Facts, lostIn } from './invariants.ts'
import { type Line, readLedger } from './ledger.ts'
import { type Order, routesPath } from './order.ts'
import type { Reference } from './reference.ts'
import { type Ending, runChild } from './run-child.ts'
import type { Workshop } from './workshop.ts'

export interface Attempt {
  /** For people: what was done where. */
  readonly name: string
  readonly fault: Fault | null
  readonly bug?: string
  /** Another program to run the child in, which does the deed from outside. */
  readonly under?: (folder: string) => readonly string[]
  /** How the first child goes on after a refusal, where the deed is one that it can survive. */
  readonly manner?: 'patient' | 'yielding'
  /** Whether the deed was done, by what it left in the folder; by default whether the child was killed. */
  readonly cameIn?: (folder: string) => boolean
  /** Lays out the folder that an earlier child left, where it left it; only its start is tried. */
  readonly over?: () => string
  /**
   * Who meets the next start. A client calls at once, from the step that was under way to the end; a stranger has
   * edited the file while nobody watched. By default nobody.
   */
  readonly met_by?: 'a client' | 'a stranger'
  /** How long the last start may take to make the world true. */
  readonly patience_ms?: number
}

export interface Trial {
  readonly name: string
  /** The fault came. A point that a run does not pass makes an ordinary run of it, which is judged all the same. */
  readonly came: boolean
  readonly broken: readonly Broken[]
  /** Acknowledged steps that are gone. */
  readonly lost: number
}

export interface Bench {
  readonly workshop: Workshop
  readonly reference: Reference
}

const PATIENCE_MS = 60_000
/** For what is known to be broken: what does not come at once will not come. */
export const SHORT_PATIENCE_MS = 1_500

export async function attempt(bench: Bench, what: Attempt): Promise<Trial> {
  const { workshop } = bench
  const folder = what.over?.() ?? workshop.folder()
  const ending = await runChild(firstOrder(folder, what), what.under?.(folder))
  // What died before its first line was Node, not the house.
  if (readLedger(folder).length === 0) return unborn(bench, what, folder)
  const facts = await factsAfter(bench, what, { folder, ending })
  const came = cameIn(what, folder, ending)
  workshop.remove(folder)
  return { name: what.name, came, broken: brokenIn(facts), lost: lostIn(facts) }
}

function unborn({ workshop }: Bench, { name }: Attempt, folder: string): Trial {
  workshop.remove(folder)
  return { name, came: false, broken: [], lost: 0 }
}

function cameIn({ fault, cameIn }: Attempt, folder: string, ending: Ending): boolean {
  if (cameIn !== undefined) return cameIn(folder)
  return fault === null ? ending.how === 'killed' : reached(readLedger(folder), fault.point)
}

const isRefusing = ({ fault, manner }: Attempt): boolean =>
  manner !== undefined || fault?.deed === 'refuse' || fault?.deed === 'break'

const firstOrder = (folder: string, what: Attempt): Order => ({
  folder,
  steps: what.over === undefined ? STEPS : ['open'],
  fault: what.fault,
  bug: what.bug ?? null,
  manner: what.manner ?? (isRefusing(what) ? 'patient' : 'plain'),
})

/** What the folder shows after that ending: looks at it, starts the house over it, looks again. */
export async function factsAfter(
  { reference }: Bench,
  what: Attempt,
  { folder, ending }: { folder: string; ending: Ending },
): Promise<Facts> {
  const ledger = readLedger(folder)
  const death: Death = { ending, acknowledged: acknowledgedIn(ledger), file: routesDigest(folder) }
  const late = what.met_by === 'a stranger' && death.file !== null ? editByHand(folder) : null
  const strangers = strangersIn(ledger, death, { late, hand_edit: reference.hand_edit })
  const returned = what.met_by === 'a client' ? await comeBack(folder, death) : null
  return {
    reference,
    death,
    returned,
    acknowledged: returned?.how === 'ended' ? FLOW.length : death.acknowledged,
    strangers,
    exact: !isRefusing(what) && returned === null,
    aftermath: await aftermathIn(folder, what.patience_ms ?? PATIENCE_MS),
  }
}

/** The rest of the journey, from the step that was under way; a hand edit needs somebody who has seen the file whole. */
function comeBack(folder: string, death: Death): Promise<Ending> {
  const rest = FLOW.slice(death.acknowledged).filter(({ kind }) => kind === 'call')
  const steps = ['open', ...rest.map(({ name }) => name)]
  return runChild({ folder, steps, fault: null, bug: null, manner: 'returning' })
}

/** Digests of what strangers wrote for us to undo: not what a late one wrote over. */
function strangersIn(
  ledger: readonly Line[],
  { file }: Death,
  { late, hand_edit }: { late: string | null; hand_edit: string },
): string[] {
  if (file === hand_edit) return [late ?? hand_edit]
  const undone = ledger.some((line) => line.kind === 'hand-edited') ? [hand_edit] : []
  return late === null ? undone : [...undone, late]
}

function editByHand(folder: string): string {
  appendFileSync(routesPath(folder), '# nobody will notice\n')
  return routesDigest(folder)!
}

const acknowledgedIn = (ledger: readonly Line[]): number =>
  new Set(ledger.flatMap((line) => (line.kind === 'acknowledged' ? [line.step] : []))).size

const reached = (ledger: readonly Line[], point: string): boolean =>
  ledger.some((line) => line.kind === 'reached' && line.point === point)
