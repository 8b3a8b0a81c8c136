/** Keeps the next free number or address from being offered to anybody else for a while. It reserves nothing in the cluster. */
import { useSignal } from '@preact/signals'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { daemonTime, now } from '../../api/clock.ts'
import type { Fault } from '../../api/fault.ts'
import { momentText } from '../../model/text/prose.ts'
import { Copy } from '../../parts/copy.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FaultLine } from '../../parts/panel.tsx'

const HOLD_S = 600

interface Props {
  /** Of the call, with a query of its own. */
  readonly path: string
  readonly what: string
  /** What the answer offers: the texts that somebody needs. */
  readonly offered: (answer: never) => readonly string[]
}

interface Kept {
  readonly texts: readonly string[]
  readonly until: number
}

export function Hold({ path, what, offered }: Props) {
  const busy = useSignal(false)
  const kept = useSignal<Kept | null>(null)
  const fault = useSignal<Fault | null>(null)
  const hold = async () => {
    busy.value = true
    const answer = await call<never>({ path: `${path}&hold=${HOLD_S}` })
    busy.value = false
    fault.value = answer.ok ? null : answer.fault
    // What is held is offered no more.
    if (answer.ok) invalidate([path.slice(0, path.indexOf('?'))])
    if (answer.ok) kept.value = { texts: offered(answer.body), until: daemonTime() + HOLD_S * 1000 }
  }
  return (
    <p class="acts gap">
      <button type="button" class="btn" disabled={busy.value} onClick={() => void hold()}>
        Hold {what} for 10 min
      </button>
      {kept.value !== null && (
        <span class="s" role="status">
          <LampIcon lamp="ok" plain /> Kept from others until {momentText(kept.value.until, now.value)}:{' '}
          {kept.value.texts.map((text) => (
            <span key={text} class="mono">
              {text} <Copy text={text} what={text} />{' '}
            </span>
          ))}
        </span>
      )}
      <FaultLine fault={fault.value} />
    </p>
  )
}
