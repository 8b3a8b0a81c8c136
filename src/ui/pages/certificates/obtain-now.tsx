/** Orders what is due or failed, at once: its plan is what would be ordered, whatever it waits for. */
import { startChange } from '../../parts/acts.tsx'

const ABOUT = 'What is missing, due, or waits after a failure, within the limits of the authority.'

export const ObtainNow = () => (
  <button
    type="button"
    class="btn"
    onClick={() =>
      startChange({
        label: 'Obtain now',
        change: { kind: 'call', method: 'POST', path: '/api/tls/reconcile?retry=true' },
        about: ABOUT,
      })
    }
  >
    Obtain now…
  </button>
)
