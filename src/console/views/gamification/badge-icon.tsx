import { isOwn, loadable } from "../../ui/safe-url.ts"

/** A badge's icon; one of another site is not fetched by this page. */
export const Icon = ({ url }: { url: string }) =>
  isOwn(url) ? <img src={loadable(url)} alt="" width="32" height="32" /> : null
