/** Why, and until when: what everything asks for that holds for a while. */
import { useSignal, type Signal } from '@preact/signals'
import { daemonTime } from '../../api/clock.ts'
import { type Fault, fieldFaults } from '../../api/fault.ts'
import { Choice, Field } from '../field.tsx'

const HOUR_MS = 3_600_000

/** Hours as text, or `at` for a moment that is typed. */
export type End = readonly [hours: string, words: string]

export const AT: End = ['at', 'until…']

export interface ReasonAndEnd {
  readonly reason: Signal<string>
  readonly hours: Signal<string>
  readonly at: Signal<string>
}

export const useReasonAndEnd = (first: string): ReasonAndEnd => ({
  reason: useSignal(''),
  hours: useSignal(first),
  at: useSignal(''),
})

export const reasonOf = ({ reason }: ReasonAndEnd): string => reason.value.trim()

/** As the API takes it; null while there is none that can be read. */
export function endOf({ hours, at }: ReasonAndEnd): string | null {
  const end = hours.value === 'at' ? Date.parse(at.value) : daemonTime() + Number(hours.value) * HOUR_MS
  return Number.isNaN(end) ? null : new Date(end).toISOString()
}

export const isComplete = (asked: ReasonAndEnd): boolean => reasonOf(asked) !== '' && endOf(asked) !== null

interface Props {
  readonly asked: ReasonAndEnd
  readonly ends: readonly End[]
  readonly fault: Fault | null
  /** What the API calls the end. */
  readonly end_field: string
}

export function ReasonUntil({ asked: { reason, hours, at }, ends, fault, end_field }: Props) {
  const faults = fieldFaults(fault)
  return (
    <>
      <Field
        label="Reason"
        value={reason.value}
        autofocus
        fault={faults.get('reason') ?? null}
        onInput={(value) => {
          reason.value = value
        }}
      />
      <Choice
        label="Until"
        value={hours.value}
        options={ends}
        onChoose={(value) => {
          hours.value = value
        }}
      />
      {hours.value === 'at' && (
        <Field
          label="Until when"
          type="datetime-local"
          value={at.value}
          fault={faults.get(end_field) ?? null}
          onInput={(value) => {
            at.value = value
          }}
        />
      )}
    </>
  )
}
