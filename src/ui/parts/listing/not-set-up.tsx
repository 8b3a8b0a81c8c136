/** What is not set up: what it would give, the setting's name, the line for the file. */
import type { Fault } from '../../api/fault.ts'
import { Copy } from '../copy.tsx'
import { LampIcon } from '../lamp.tsx'

/** The setting that the API asks for in its refusal; null for any other fault. */
export const settingAskedFor = (fault: Fault | null): string | null =>
  fault?.kind === 'problem' ? (fault.problem.setting ?? null) : null

interface Props {
  readonly gives: string
  readonly setting: string
  /** As it stands in the file of settings. */
  readonly line: string
}

export const NotSetUp = ({ gives, setting, line }: Props) => (
  <div class="box pad">
    <p class="why">
      <LampIcon lamp="off" plain />
      <span>
        <b>Not set up.</b> {gives} It needs <code>{setting}</code>, and a restart.
      </span>
    </p>
    <pre class="lines mono" tabIndex={0} aria-label="The line for the settings">
      {line}
    </pre>
    <p class="acts">
      <span class="s q2">Copy the line</span> <Copy text={line} what="the line" />
    </p>
  </div>
)
