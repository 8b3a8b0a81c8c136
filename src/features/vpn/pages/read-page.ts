/** The files of the dashboard, as they lie beside this one. The names are the program's own: none comes from a request. */
import { readFile } from 'node:fs/promises'
import type { ReadPage } from '../page-port.ts'

export const readPage: ReadPage = (file) => readFile(new URL(file, import.meta.url))
