/** A name as it stands in a URL: `Académie Nord` → `academie-nord`. Empty for a name without Latin letters or digits. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
