import { isSameOrigin, safeUrl } from "../../ui/safe-url.ts"

/** The icon of a badge; nothing for an icon on another site, which the page must not load. */
export const BadgeIcon = ({ url }: { url: string }) =>
  isSameOrigin(url) ? <img src={safeUrl(url)} alt="" width="32" height="32" /> : null
