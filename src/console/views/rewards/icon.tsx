/** A badge's icon; one of another site is not fetched by this page. */
export const Icon = ({ url }: { url: string }) =>
  new URL(url, location.origin).origin === location.origin ? <img src={url} alt="" width="32" height="32" /> : null
