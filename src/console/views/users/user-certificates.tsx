import { Award } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"

type Certificate = RecordOf<"/api/user-certificates/{id}">

export function UserCertificates({ id }: { id: number }) {
  const isStaff = hasAccess(useMe(), "staff")
  const [toRevoke, setToRevoke] = useState<Certificate>()
  const revoke = useChange({
    call: (certificate: Certificate) =>
      api.PUT("/api/user/{id}/delete-certificate", { params: { path: { id } }, body: { id: certificate.id } }),
    invalidates: ["/api/user", "/api/certificate", "/api/transcript", "/api/reports"],
  })
  return (
    <>
      <Listing
        path="/api/user-certificates/{id}"
        caption={t("users:certificates")}
        keyOf={(certificate) => certificate.id}
        pathParams={{ id }}
        empty={{
          icon: Award,
          text: t("users:certificates.none"),
          ...(isStaff && { action: { label: t("users:certificates.issue"), href: "/certificates/issued" } }),
        }}
        columns={[
          { key: "course", title: t("users:course"), sort: "courseName", render: ({ courseName }) => courseName },
          {
            key: "issued",
            title: t("users:issued"),
            sort: "issueDate",
            render: ({ issueDate }) => <Time value={issueDate} />,
          },
          {
            key: "actions",
            title: t("users:certificate"),
            render: (certificate) => (
              <div class="actions">
                <a
                  href={`/api/user-certificate/${certificate.id}/download`}
                  download
                  aria-label={t("users:certificate.download", { course: certificate.courseName })}
                >
                  {t("download")}
                </a>
                {isStaff && (
                  <button
                    type="button"
                    class="plain"
                    aria-label={t("users:certificate.revoke", { course: certificate.courseName })}
                    onClick={() => setToRevoke(certificate)}
                  >
                    {t("users:revoke")}
                  </button>
                )}
              </div>
            ),
          },
        ]}
      />
      {toRevoke && (
        <ConfirmDialog
          title={t("users:certificate.revoke", { course: toRevoke.courseName })}
          confirm={t("users:revoke")}
          onClose={() => setToRevoke(undefined)}
          onConfirm={() => revoke.mutateAsync(toRevoke)}
        >
          <p>{t("users:revoke.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
