import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Time } from "../../ui/time.tsx"

const STATUS_PATH = "/api/me/calendar"

/** The secret link with which calendar applications show the user's classes. */
export function CalendarSubscription() {
  const status = useRead(STATUS_PATH)
  /** A new link, which the API returns only once. */
  const [link, setLink] = useState<string>()
  const [open, setOpen] = useState<"reset" | "end">()
  const create = useChange({
    call: () => api.POST("/api/me/calendar/create"),
    invalidates: [STATUS_PATH],
  })
  const end = useChange({
    call: () => api.POST("/api/me/calendar/delete"),
    invalidates: [STATUS_PATH],
  })
  const createLink = async () => {
    const { webcalUrl } = await create.mutateAsync(undefined)
    setLink(webcalUrl)
  }
  return (
    <Loaded query={status}>
      {({ active, createdAt }) => (
        <>
          <p class="quiet">{t("account:calendar.about")}</p>
          {link && (
            <CopyField
              name="calendar-link"
              label={t("account:calendar.link")}
              hint={t("account:calendar.link.hint")}
              value={link}
            />
          )}
          {active && !link && (
            <p>
              {t("account:calendar.created")} <Time value={createdAt} />
            </p>
          )}
          {active ? (
            <div class="actions">
              <button type="button" onClick={() => setOpen("reset")}>
                {t("account:calendar.reset")}
              </button>
              <button type="button" onClick={() => setOpen("end")}>
                {t("account:calendar.end")}
              </button>
            </div>
          ) : (
            <>
              <ErrorMessage error={create.error} />
              <button type="button" disabled={create.isPending} onClick={() => createLink().catch(() => undefined)}>
                {t("account:calendar.create")}
              </button>
            </>
          )}
          {open === "reset" && (
            <ConfirmDialog
              title={t("account:calendar.reset.title")}
              confirm={t("account:calendar.reset")}
              onConfirm={createLink}
              onClose={() => setOpen(undefined)}
            >
              <p>{t("account:calendar.reset.about")}</p>
            </ConfirmDialog>
          )}
          {open === "end" && (
            <ConfirmDialog
              title={t("account:calendar.end.title")}
              confirm={t("account:calendar.end")}
              onConfirm={async () => {
                await end.mutateAsync(undefined)
                setLink(undefined)
              }}
              onClose={() => setOpen(undefined)}
            >
              <p>{t("account:calendar.end.about")}</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </Loaded>
  )
}
