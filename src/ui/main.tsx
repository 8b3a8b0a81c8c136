/** Mounts the console; the only place that knows `document.body`. */
import './style/index.css'
import { render } from 'preact'
import { startRouter } from './address.ts'
import { startClock } from './api/clock.ts'
import { startLive, tryNow } from './api/live.ts'
import { askSession, sessionState, signIn, takeCode, watchSession } from './api/session.ts'
import { App } from './app.tsx'
import { startKeys } from './parts/keys.ts'
import { applyLook } from './parts/look.ts'

applyLook()
startRouter()
startClock()
startKeys()
watchSession()

const code = takeCode()
void (code === null ? askSession() : enter(code))

/** A link is used up by being opened; what it says where it is too late stands on the sign-in page. */
async function enter(taken: string): Promise<void> {
  if ((await signIn({ code: taken })) !== null) await askSession()
}

let listening = false
let was = 'asking'
sessionState.subscribe(({ kind }) => {
  const entered = kind === 'in' && was !== 'in'
  was = kind
  if (!entered) return
  // The stream ended with the session before, and what is shown may be another person's.
  if (listening) tryNow()
  else startLive()
  listening = true
})

render(<App />, document.getElementById('console') ?? document.body)
