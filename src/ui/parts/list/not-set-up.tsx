/** What is not set up: what it would give, the name of the setting, and the line for the file of settings. */
import type { Fault } from '../../api/fault.ts'
import { Copy } from '../copy.tsx'
import { LampIcon } from '../lamp.tsx'

/** The setting that the API asks for in its refusal; null for any other fault. */
export function settingAskedFor(fault: Fault | null): string | null {
  if (fault?.kind !== 'problem' || fault.problem.code !== 'component_unavailable') return null
  return /\bset (PLUMBLINE_[A-Z0-9_]+)/.exec(fault.problem.detail)?.[1] ?? null
}

interface Props {
  readonly setting: string
  /** What it would give, as a sentence. */
  readonly gives: string
  readonly example: string
}

export const NotSetUp = ({ setting, gives, example }: Props) => (
  <div class="box pad gapb">
    <p class="why">
      <LampIcon lamp="off" plain />
      <span>
        <b>Not set up.</b> {gives}
      </span>
    </p>
    <p class="mono q2">
      {setting}={example} <Copy text={`${setting}=${example}`} what="the line" />
    </p>
    <p class="s q">Settings are read at the start of the daemon.</p>
  </div>
)
