/** A proxy with so many domains, in a process of its own: prints its address and its figures, and serves until it is told to end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderRoutes } from '../../../src/features/routes/target/desire.ts'
import { startFakeTraefik } from '../../fakes/traefik/traefik.ts'
import { someSettings } from '../../features/routes/target/settings.ts'
import { intentOf } from '../intent.ts'

const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
const file = join(directory, 'routes.yml')
writeFileSync(file, Buffer.concat(renderRoutes(intentOf(Number(process.argv[2])), someSettings()).chunks))
const traefik = await startFakeTraefik()
traefik.follow(file)
process.once('SIGTERM', () => {
  rmSync(directory, { recursive: true })
  void traefik.stop()
})
const { origin, running } = traefik
process.stdout.write(JSON.stringify({ origin, routers: running.http.routers.length }))
