/** Child of the glance test: glances N times between two marks that a trace of system calls shows. */
import { existsSync } from 'node:fs'
import { glanceAt } from '../../../../src/kernel/glance.ts'

const [path, times] = process.argv.slice(2)
glanceAt(path!)
existsSync('/glances-begin')
for (let i = 0; i < Number(times); i++) glanceAt(path!)
existsSync('/glances-end')
