/** The states that every list and panel has: loading, could not be loaded, empty, not found out. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Loaded } from '../api/cache.ts'
import { faultText, requestIdOf, type Fault } from '../api/fault.ts'
import { visible } from '../model/visible.ts'
import { Copy } from './copy.tsx'
import { Mark } from './icons.tsx'
import { Prose } from './text/prose.tsx'

const QUIET_MS = 150
const WIDTHS = ['w62', 'w48', 'w70', 'w54', 'w40']

/** Nothing for 150 ms, then the frame of the rows as thin lines. */
export function Loading({ what }: { readonly what: string }) {
  const shown = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      shown.value = true
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!shown.value) return <div aria-busy="true" />
  return (
    <div class="box bones apart" aria-busy="true">
      <span class="sr">Loading {what.replace(/^The /, 'the ')}</span>
      {WIDTHS.map((width) => (
        <div class="bone" key={width}>
          <i class={width} />
        </div>
      ))}
    </div>
  )
}

interface FaultProps {
  readonly what: string
  readonly fault: Fault
  readonly retry?: () => void
}

/** In place of the panel alone: what the API said, and what can be done. */
export function FaultPanel({ what, fault, retry }: FaultProps) {
  const id = requestIdOf(fault)
  return (
    <div class="box pad apart" role="alert">
      <p>
        <b>{what} could not be loaded.</b>
      </p>
      <p class="q2">
        <Prose of={faultText(fault)} />
      </p>
      <p class="acts gap">
        {retry !== undefined && (
          <button type="button" class="btn" onClick={retry}>
            Try again
          </button>
        )}
        {id !== null && (
          <span class="s q mono">
            request {id.slice(0, 8)} <Copy text={id} what="the request id" />
          </span>
        )}
      </p>
    </div>
  )
}

interface ResourceProps<T> {
  readonly of: Loaded<T>
  readonly what: string
  readonly retry?: () => void
  readonly children: (value: T) => ComponentChildren
}

/** What was loaded; an older answer stays, with a line that says so, while a newer one cannot be had. */
export function Resource<T>({ of, what, retry, children }: ResourceProps<T>) {
  if (of.value !== undefined)
    return (
      <>
        {of.fault !== null && of.fault.kind !== 'offline' && (
          <p class="s c-unknown flush" role="status">
            {what} could not be loaded again: {visible(faultText(of.fault))} What you see was true then.
          </p>
        )}
        {children(of.value)}
      </>
    )
  if (of.fault !== null) return <FaultPanel what={what} fault={of.fault} {...(retry && { retry })} />
  return <Loading what={what} />
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
  readonly mark?: boolean
}

export const Empty = ({ title, children, mark = false }: EmptyProps) => (
  <div class="box pad none">
    {mark && <Mark width={28} height={34} />}
    <p>
      <b>{title}</b>
    </p>
    {children}
  </div>
)

/** One line below an act: what went wrong with it. */
export const FaultLine = ({ fault }: { readonly fault: Fault | null }) =>
  fault === null ? null : (
    <p class="s c-bad gap" role="alert">
      <Prose of={faultText(fault)} />
    </p>
  )
