import { t } from "../messages/messages.ts"
import { Page } from "./page.tsx"

/** Instead of a part of a view whose files could not be loaded. */
export const UnavailablePart = () => (
  <>
    <p>{t("unavailable.text")}</p>
    <p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t("unavailable.retry")}
      </button>
    </p>
  </>
)

/** Instead of a view whose files could not be loaded. */
export const UnavailableView = () => (
  <Page title={t("unavailable.title")}>
    <UnavailablePart />
  </Page>
)
