/** What may happen in a run, as plain data that shrinks well: records are named by slots, so any sequence makes sense. */
import fc from 'fast-check'
import type { DomainFields } from '../../src/model/domain/record.ts'
import type { Fault } from './faults.ts'
import type { StatusVerb } from './model.ts'
import { type HandEdit, HAND_EDITS, isHandEdit } from './stranger.ts'

/** The n-th record that is there, counted round; -1 for one that is not. */
export type Slot = number

/** What matters of a record; the rest is what a careful operator would have written. */
type FieldsWish = Partial<DomainFields>

export interface EntryWish {
  readonly fields: FieldsWish
  readonly status: 'active' | 'inactive' | 'disabled'
}

export type Wish =
  | { readonly kind: 'create'; readonly fields: FieldsWish }
  | { readonly kind: 'update'; readonly slot: Slot; readonly change: FieldsWish }
  | { readonly kind: StatusVerb | 'delete' | 'deploy'; readonly slot: Slot }
  | { readonly kind: 'deploy-all' }
  | { readonly kind: 'estate'; readonly entries: readonly EntryWish[] }
  /** An estate of all records that are there and not disabled. */
  | { readonly kind: 'all'; readonly status: 'active' | 'inactive' }

export type Step =
  /** `insists`: a guard's refusal is answered with the plan's hash. */
  | { readonly kind: 'call'; readonly wish: Wish; readonly insists: boolean }
  | { readonly kind: 'dry-run'; readonly wish: Wish }
  | { readonly kind: 'together'; readonly wishes: readonly [Wish, Wish] }
  | { readonly kind: 'swap'; readonly a: Slot; readonly b: Slot }
  | { readonly kind: 'plan'; readonly scope: 'all' | 'component' | Slot; readonly at_once: boolean }
  /** The n-th plan that was made, counted round. */
  | { readonly kind: 'apply'; readonly plan: number }
  /** So many releases ago. */
  | { readonly kind: 'restore'; readonly back: number }
  | { readonly kind: 'hand-edit'; readonly edit: HandEdit }
  /** The same edit again after each pass. */
  | { readonly kind: 'siege'; readonly edit: HandEdit; readonly rounds: number }
  | { readonly kind: 'pass' }
  | { readonly kind: 'an-hour-later' }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'restart' }
  | { readonly kind: 'kill' }

export interface Life {
  /** What goes wrong while the installation is founded. */
  readonly first_start: Fault | null
  /** What there is to begin with. */
  readonly estate: readonly EntryWish[]
  readonly steps: readonly Step[]
}

const MAX_STEPS = 25

export const PROTECTED_NAME = 'plumbline.example.com'
const NAMES = 'abcdefgh'
  .split('')
  .map((letter) => `${letter}.example.com`)
  .concat(PROTECTED_NAME)

const name = fc.constantFrom(...NAMES)
const port = fc.integer({ min: 1, max: 3 }).map((n) => 8000 + n)
const slot = fc.oneof({ weight: 12, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.constant(-1) })

const fields: fc.Arbitrary<FieldsWish> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      domain: name,
      backend_port: port,
      auth_required: fc.boolean(),
      ssl_enabled: fc.boolean(),
      service_type: fc.constantFrom('http' as const, 'spa' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      domain: name,
      backend_port: port,
      tcp_entrypoint: fc.constantFrom('ssh', 'smtp'),
      ssl_enabled: fc.boolean(),
      service_type: fc.constant('tcp-proxy' as const),
    }),
  },
)

const entries = fc.uniqueArray(
  fc.record({
    fields,
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant('active' as const) },
      { weight: 3, arbitrary: fc.constant('inactive' as const) },
      { weight: 1, arbitrary: fc.constant('disabled' as const) },
    ),
  }),
  { minLength: 1, maxLength: NAMES.length, selector: ({ fields: { domain } }) => domain },
)

const change = fc.oneof(
  port.map((backend_port) => ({ backend_port })),
  fc.boolean().map((auth_required) => ({ auth_required })),
  name.map((domain) => ({ domain })),
)

const verb = fc.oneof(
  { weight: 4, arbitrary: fc.constant('activate' as const) },
  { weight: 4, arbitrary: fc.constant('deploy' as const) },
  { weight: 2, arbitrary: fc.constant('deactivate' as const) },
  { weight: 1, arbitrary: fc.constantFrom('disable' as const, 'delete' as const) },
)

const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 4, arbitrary: fields.map((some) => ({ kind: 'create' as const, fields: some })) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('update' as const), slot, change }) },
  { weight: 12, arbitrary: fc.record({ kind: verb, slot }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'deploy-all' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('all' as const),
      status: fc.constantFrom('active' as const, 'inactive' as const),
    }),
  },
  { weight: 3, arbitrary: entries.map((some) => ({ kind: 'estate' as const, entries: some })) },
)

const edit = fc.constantFrom(...HAND_EDITS)

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    port: fc.constant('write' as const),
    phase: fc.constantFrom('before' as const, 'inside' as const, 'after' as const),
    deed: fc.constantFrom('unavailable' as const, 'full' as const, 'kill' as const),
    after: fc.nat(3),
  }),
  fc.record({
    port: fc.constant('replace' as const),
    phase: fc.constantFrom('before' as const, 'after' as const),
    deed: fc.oneof(
      fc.constantFrom('full' as const, 'denied' as const, 'hang' as const, 'kill' as const),
      edit,
    ),
    after: fc.nat(1),
  }),
  fc.record({
    port: fc.constant('look' as const),
    phase: fc.constantFrom('before' as const, 'after' as const),
    deed: fc.oneof(fc.constantFrom('denied' as const, 'hang' as const, 'kill' as const), edit),
    after: fc.nat(2),
  }),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ kind: fc.constant('call' as const), wish, insists: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dry-run' as const), wish }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('together' as const), wishes: fc.tuple(wish, wish) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('swap' as const), a: slot, b: slot }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      scope: fc.oneof(fc.constantFrom('all' as const, 'component' as const), slot),
      at_once: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply' as const), plan: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), back: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hand-edit' as const), edit }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('siege' as const),
      edit,
      rounds: fc.integer({ min: 2, max: 5 }),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ kind: 'pass' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'an-hour-later' as const }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('fault' as const), fault }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
)

/** What a stranger put there before the first write is the stranger's, and nothing converges; so strangers come later. */
const mishap = fault.filter((some) => !isHandEdit(some.deed))

export const life: fc.Arbitrary<Life> = fc.record({
  first_start: fc.option(mishap, { nil: null, freq: 2 }),
  estate: entries,
  steps: fc.array(step, { minLength: 5, maxLength: MAX_STEPS, size: 'max' }),
})
