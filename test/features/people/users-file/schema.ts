/** Authelia's own JSON schema of its users file, as a judge of what we write. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

const SCHEMA = new URL('../../../../fixtures/authelia/user-database.json', import.meta.url)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object)

/** What the schema says against the text; empty means that it accepts it. */
export function schemaFaults(text: string): readonly string[] {
  return validate(parse(text))
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}
