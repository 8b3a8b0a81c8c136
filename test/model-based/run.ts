/** One run: random steps against the service and the model side by side, then peace, in which everything must come right. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { someFields } from '../fixtures.ts'
import { call, dryRun, swap, together } from './calls.ts'
import type { Fault } from './faults.ts'
import type { Figures } from './figures.ts'
import { type Deed, NOTHING, pendingIds } from './model.ts'
import { converge, pass, stayQuiet } from './passes.ts'
import { Plans, type Scope } from './plans.ts'
import { restore } from './restore.ts'
import type { Life, Slot, Step, Wish } from './steps.ts'
import type { HandEdit } from './stranger.ts'
import { Subject } from './subject.ts'

const AN_HOUR_MS = 3_600_000

/** Throws an error that says what is broken. */
export async function live({ first_start, estate, steps }: Life, figures: Figures): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-model-'))
  const subject = new Subject(folder, figures)
  const restore = hastenDeadlines(subject)
  try {
    await begin(subject, first_start)
    const plans = new Plans(subject)
    await call(subject, deedFor(subject, { kind: 'estate', entries: estate }), false)
    for (const step of steps) await take(subject, plans, step)
    await end(subject)
    figures.runs++
  } finally {
    restore()
    await subject.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A deadline of seconds is of no use to a run of milliseconds: as soon as something hangs, it is over. */
function hastenDeadlines(subject: Subject): () => void {
  const original = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => AbortSignal.any([original(ms), subject.trouble.deadline])
  subject.clock.hurry = () => subject.trouble.deadline
  return () => {
    AbortSignal.timeout = original
  }
}

/** Afterwards the file is ours, whatever happened. */
async function begin(subject: Subject, fault: Fault | null): Promise<void> {
  await subject.start(fault === null ? [] : [fault])
  await subject.check([NOTHING])
  subject.trouble.calm()
  await converge(subject)
}

async function take(subject: Subject, plans: Plans, step: Step): Promise<void> {
  const deedOf = (wish: Wish) => deedFor(subject, wish)
  subject.figures.steps++
  switch (step.kind) {
    case 'call':
      return call(subject, deedOf(step.wish), step.insists)
    case 'dry-run':
      return dryRun(subject, deedOf(step.wish))
    case 'together':
      return together(subject, deedOf(step.wishes[0]), deedOf(step.wishes[1]))
    case 'swap':
      return swap(subject, idAt(subject, step.a), idAt(subject, step.b))
    case 'plan':
      await plans.make(scopeOf(subject, step.scope))
      return step.at_once ? plans.apply(-1) : undefined
    case 'apply':
      return plans.apply(step.plan)
    case 'restore':
      return restore(subject, step.back)
    case 'hand-edit':
      subject.editByHand(step.edit)
      return subject.check([subject.model])
    case 'siege':
      return siege(subject, step.edit, step.rounds)
    case 'pass':
      return pass(subject)
    case 'an-hour-later':
      return subject.clock.forward(AN_HOUR_MS)
    case 'fault':
      return subject.trouble.arm(step.fault)
    case 'restart':
      return subject.restart()
    case 'kill':
      subject.trouble.dead = true
      return subject.check([subject.model])
  }
}

async function siege(subject: Subject, edit: HandEdit, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    subject.editByHand(edit)
    await pass(subject)
  }
}

/** The faults stop: within three passes the world is as released, and then nothing is written any more. */
async function end(subject: Subject): Promise<void> {
  subject.trouble.calm()
  await converge(subject)
  await stayQuiet(subject)
  await subject.restart()
  const open = await subject.daemon.store.openSteps()
  if (open.length > 0) throw new Error(`${open.length} journal steps are open after a start`)
  await stayQuiet(subject)
  await call(subject, { kind: 'deploy-all' }, true)
  if (pendingIds(subject.model).length > 0)
    throw new Error('something is pending after everything was deployed')
  const { answer } = await subject.ask('POST', '/api/plans', {})
  const { plan } = answer.body as { plan: { rows: unknown[]; actions: unknown[] } }
  if (plan.rows.length + plan.actions.length > 0)
    throw new Error(`there is something to do after everything was done: ${JSON.stringify(plan)}`)
}

function idAt({ model }: Subject, slot: Slot): number {
  const ids = [...model.records.keys()]
  return slot < 0 || ids.length === 0 ? model.next_id + 1000 : ids[slot % ids.length]!
}

const scopeOf = (subject: Subject, scope: 'all' | 'component' | Slot): Scope =>
  typeof scope === 'number' ? idAt(subject, scope) : scope

/** Where there is none, it is as good as nothing: a deploy of everything. */
function allTo({ model }: Subject, status: 'active' | 'inactive'): Deed {
  const usable = [...model.records.values()].filter((record) => record.status !== 'disabled')
  const entries = usable.map(({ fields }) => ({ fields, status }))
  return entries.length === 0 ? { kind: 'deploy-all' } : { kind: 'estate', entries }
}

function deedFor(subject: Subject, wish: Wish): Deed {
  switch (wish.kind) {
    case 'create':
      return { kind: 'create', fields: someFields(wish.fields) }
    case 'estate':
      return {
        kind: 'estate',
        entries: wish.entries.map(({ fields, status }) => ({ fields: someFields(fields), status })),
      }
    case 'all':
      return allTo(subject, wish.status)
    case 'deploy-all':
      return wish
    case 'update':
      return { kind: 'update', id: idAt(subject, wish.slot), change: wish.change }
    case 'activate':
    case 'deactivate':
    case 'disable':
    case 'delete':
    case 'deploy':
      return { kind: wish.kind, id: idAt(subject, wish.slot) }
  }
}
