import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"

/** Whether a webhook is sent anything, and how that goes. */
export const WebhookState = ({
  of: { enabled, offReason, failingSince },
}: {
  of: Pick<Schemas["Webhook"], "enabled" | "offReason" | "failingSince">
}) => (
  <>
    <span class="badge">{t(enabled ? "academy:webhooks.enabled" : "academy:webhooks.disabled")}</span>
    {offReason && <> {t(`academy:webhooks.disabled.${offReason}`)}</>}
    {failingSince && (
      <>
        {" "}
        {t("academy:webhooks.failing")} <Time value={failingSince} />
      </>
    )}
  </>
)
