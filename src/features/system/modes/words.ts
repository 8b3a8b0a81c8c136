/** Modes in words, as answers, events and the trail tell them. Pure. */
import { INSTALLATION } from '../../../core/modes/read.ts'
import { isOfSettings } from '../../../engine/status/mode-setting.ts'
import { isoTime } from '../../../kernel/clock.ts'
import type { ModeSetting, StandingMode } from '../../../ports/store.ts'

/** "observe (we only watch)" */
export const modeWords = ({ mode, reason }: Pick<StandingMode, 'mode' | 'reason'>): string =>
  `${mode}${reason === '' ? '' : ` (${reason})`}`

/** "observe (we only watch) until 2030-01-31T12:00:00Z" */
export const layerWords = (layer: StandingMode): string =>
  `${modeWords(layer)}${layer.expires_at === null ? '' : ` until ${isoTime(layer.expires_at)}`}`

/** What is in force for a scope, which may be what is set for everything. */
export function standsNow(scope: string, stands: ModeSetting): string {
  const everywhere = scope !== INSTALLATION && stands.scope === INSTALLATION && !isOfSettings(stands)
  return `What stands now: ${layerWords(stands)}${everywhere ? ', as for everything' : ''}.`
}
