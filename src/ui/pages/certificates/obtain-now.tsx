/** Orders what is due or failed, at once: its plan is what would be ordered, whatever it waits for. */
import { mayChange, whyNot } from '../../api/session.ts'
import { startChange } from '../../parts/acts.tsx'
import { usePageAct } from '../../parts/find/page-act.ts'

const ABOUT = 'What is missing, due, or waits after a failure, within the limits of the authority.'

const begin = (): void =>
  startChange({
    label: 'Obtain now',
    change: { kind: 'call', method: 'POST', path: '/api/tls/reconcile?retry=true' },
    about: ABOUT,
  })

export function ObtainNow() {
  usePageAct('obtain', begin)
  return (
    <button
      type="button"
      class="btn"
      disabled={!mayChange.value}
      title={whyNot.value ?? undefined}
      onClick={begin}
    >
      Obtain now…
    </button>
  )
}
