/** The issuer put together from its parts. */
import type { InstalledCertificate } from '../records.ts'
import { RenewalQuestions } from './ask-renewal.ts'
import type { Issuer } from './issuer.ts'
import { setSubject } from './ledger.ts'
import { obtain } from './steps/obtain.ts'
import type { IssuerParts } from './parts.ts'
import { preflight } from './steps/preflight.ts'
import { SharedWork } from './shared-work.ts'
import { tidy } from './tidy.ts'

export function createIssuer(parts: IssuerParts): Issuer {
  const work = new SharedWork<InstalledCertificate>()
  const questions = new RenewalQuestions(parts)
  const isRunning = (name: string): boolean => work.isRunning(name)
  return {
    obtain: (wish, why) =>
      work.run({ name: wish.name, what: setSubject(wish.names), signal: why.signal }, () =>
        obtain(parts, wish, why),
      ),
    preflight: (wish, signal) => preflight(parts, wish, signal),
    tidy: (wanted, signal) => tidy(parts, wanted, { isRunning, signal }),
    askRenewal: (certificate, signal) => questions.ask(certificate, signal),
  }
}
