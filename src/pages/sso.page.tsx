import { ApiError } from "../lib/errors.ts"
import type { TextKey } from "../lib/texts/texts.ts"
import { Layout, useFrame } from "./page.tsx"
import { errorText } from "./problem-texts.ts"

interface Props {
  /** Why the sign-in failed; undefined: an internal error. */
  refusal: { key: TextKey; params: Record<string, string> } | ApiError | undefined
  /** The id to quote to support. */
  requestId: string
}

/** The page after a failed sign-in with a provider. */
export const SsoRefusalPage = ({ refusal, requestId }: Props) => {
  const frame = useFrame()
  const { site, words } = frame
  const { t } = words
  return (
    <Layout title={t("sign-in.failed")}>
      <main>
        <h1>{t("sign-in.failed")}</h1>
        <p class="error" role="alert">
          {refusal instanceof ApiError ? errorText(refusal, frame) : t(refusal?.key ?? "sso.internal", refusal?.params)}
        </p>
        <p>
          <a href="/login">{t("sign-in.to", { site })}</a>
        </p>
        <p>
          {t("sign-in.request")} <code>{requestId}</code>
        </p>
      </main>
    </Layout>
  )
}

/** The page after signing out, which leads to the provider to sign out there. */
export const SignedOutPage = ({ name, url }: { name: string; url: string }) => {
  const { site, words } = useFrame()
  const { t } = words
  return (
    <Layout title={t("signed-out")} refresh={url}>
      <main>
        <h1>{t("signed-out")}</h1>
        <p>
          <a href={url}>{t("signed-out.continue", { provider: name })}</a>
        </p>
        <p>
          <a href="/login">{t("sign-in.to", { site })}</a>
        </p>
      </main>
    </Layout>
  )
}
