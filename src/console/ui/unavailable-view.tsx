import { t } from "../messages/messages.ts"
import { Page } from "./page.tsx"

/** Instead of a view whose files could not be loaded. */
export const UnavailableView = () => (
  <Page title={t("unavailable.title")}>
    <p>{t("unavailable.text")}</p>
    <p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t("unavailable.retry")}
      </button>
    </p>
  </Page>
)
