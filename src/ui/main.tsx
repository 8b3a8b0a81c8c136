/** Mounts the console; the only place that knows `document.body`. */
import './style/index.css'
import { render } from 'preact'
import { startRouter } from './address.ts'
import { startClock } from './api/clock.ts'
import { startLive } from './api/live.ts'
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
sessionState.subscribe(({ kind }) => {
  if (kind !== 'in' || listening) return
  listening = true
  startLive()
})

render(<App />, document.getElementById('console') ?? document.body)
