/** A house that ticks without a socket, so that what is counted from outside is the tick alone. Ends when told. */
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'

const house = await buildDaemon(loadConfig(process.env), { log: silentLog })
house.engine.start()
process.once('SIGTERM', () => void house.close())
