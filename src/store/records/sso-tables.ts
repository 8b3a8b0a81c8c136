/** Columns of what is kept for single sign-on. They mirror `schema/0006-sso.sql`. */
export interface SsoTables {
  sso_provider: SsoProviderTable
  sso_quarantine: { domain_id: number; domain: string; since: number; evidence: string }
}

export interface SsoProviderTable {
  id: 1
  restarted_at: number | null
  place: string | null
  stamp: string | null
  text: string | null
  loaded_at: number | null
}
