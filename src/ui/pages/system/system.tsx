/** A page that is being built. */
export const System = () => <h1>…</h1>
