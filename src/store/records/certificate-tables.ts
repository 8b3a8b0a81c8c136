/** Columns of what is kept for certificates. They mirror the migrations `certificates` and `certificate-chains`. */
import type { Generated } from 'kysely'
import type { FailureCode } from '../../kernel/failure.ts'
import type { KeptChain, LedgerEntry, OrderStep } from '../../ports/records/certificates.ts'

type Json = string
type Flag = 0 | 1

export interface CertificateTables {
  certificates: CertificatesTable
  certificate_chains: KeptChain
  certificate_orders: CertificateOrdersTable
  certificate_trouble: CertificateTroubleTable
  certificate_ledger: {
    id: Generated<number>
    at: number
    directory: string
    kind: LedgerEntry['kind']
    subject: string
  }
}

export interface CertificatesTable {
  name: string
  names: Json
  directory: string
  issuer: string
  serial: string
  key_type: string
  fingerprint: string
  not_before: number
  not_after: number
  obtained_at: number
  ari_id: string | null
  ari_for: string | null
  ari_start: number | null
  ari_end: number | null
  ari_moment: number | null
  ari_ask_at: number | null
}

export interface CertificateOrdersTable {
  id: string
  name: string
  names: Json
  directory: string
  rehearsal: Flag
  replaces: string | null
  step: OrderStep
  order_url: string | null
  challenges: Json
  reason: string
  started_at: number
  updated_at: number
}

export interface CertificateTroubleTable {
  name: string
  failures: number
  directory: string
  code: FailureCode
  message: string
  failed_at: number
  next_try_at: number
  rehearse: Flag
}
