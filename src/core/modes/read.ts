/** How far the reconciler may go on its own: what was set, and what that comes to for each component. */
import { isoTimeOrNull } from '../../kernel/clock.ts'
import type { Mode } from '../../model/mode.ts'
import { isOver, settingAt, standingOf } from '../../engine/status/mode-setting.ts'
import type { ModeSetting, StandingMode } from '../../ports/store.ts'
import type { CoreParts } from '../parts.ts'

/** The scope that stands for the whole installation. */
export const INSTALLATION = '*'
/** Of why a mode is set, or a difference may stay. */
export const MAX_REASON = 500

export interface ModeView {
  /** A component, or `*` for the installation. */
  readonly scope: string
  readonly mode: Mode
  readonly reason: string
  readonly actor: string
  /** RFC 3339, or null for never. */
  readonly expires_at: string | null
  /** What stands again at its end; null for nothing. */
  readonly standing: StandingModeView | null
  /** All that it was set over and that has not ended, newest first: the first stands again when it is ended early. */
  readonly below: readonly StandingModeView[]
}

export type StandingModeView = Pick<ModeView, 'mode' | 'reason' | 'actor' | 'expires_at'>

export interface ModesAnswer {
  /** The setting that is in force for each component: the most careful of all that concern it. */
  readonly components: readonly (ModeView & { readonly component: string })[]
  /** What was set over the API, expired settings included; one that has given way is the one that stood before. */
  readonly settings: readonly (ModeView & { readonly expired: boolean })[]
  /** Components that were written once, and that no setting of this process names. */
  readonly not_set_up: readonly string[]
}

export async function readModes({ engine, store, clock }: CoreParts): Promise<ModesAnswer> {
  const now = clock.now()
  const settings = await store.modes()
  return {
    components: engine
      .applyOrder()
      .map((component) => ({ component, ...modeView(engine.modeOf(component)) })),
    settings: settings
      .map((setting) => settingAt(setting, now))
      .map((setting) => ({
        ...modeView(setting),
        expired: isOver(setting, now),
      })),
    not_set_up: engine.notSetUp(),
  }
}

function modeView(setting: ModeSetting): ModeView {
  const standing = standingOf(setting)
  return {
    scope: setting.scope,
    ...layerView(setting),
    standing: standing === null ? null : layerView(standing),
    below: (setting.below ?? []).map(layerView),
  }
}

const layerView = ({ mode, reason, actor, expires_at }: StandingMode): StandingModeView => ({
  mode,
  reason,
  actor,
  expires_at: isoTimeOrNull(expires_at),
})
