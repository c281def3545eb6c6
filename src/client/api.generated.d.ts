// Written by npm run client from the OpenAPI document a3006c427dc259d1

export interface paths {
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where tokens are given out, and how (RFC 8414)
         * @description Clients that discover their settings read it. It needs no credential.
         */
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/announcement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an announcement and mail it to those whom it is for
         * @description Disabled users get no mail. With the id of an announcement it is changed instead, as by PUT. Mails to more than about 1,000 users are written by a background job: the answer has its `jobId`. Each user who exists when the call is made and is among the readers when the job comes to them gets one mail.
         */
        post: operations["createAnnouncement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/announcement/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an announcement
         * @description Below staff: one that is for the caller and has not expired.
         */
        get: operations["getAnnouncement"];
        /**
         * Change an announcement
         * @description What is left out stays. It is mailed to those whom it was not for before; more than about 1,000 mails are written by a background job, whose `jobId` the answer has.
         */
        put: operations["updateAnnouncement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/announcement/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete announcements
         * @description Mails of them that were not sent yet are taken back; more than about 1,000 of them by a background job, whose `jobId` the answer has.
         */
        post: operations["deleteAnnouncements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/announcement/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List announcements
         * @description All of them, those that have expired too.
         */
        get: operations["listAnnouncements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-key/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getApiKey"];
        /**
         * Change an API key
         * @description Calls are held to the change from its answer on.
         */
        put: operations["updateApiKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-key/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key
         * @description The key is told this once. A program sends it as `Authorization: Bearer lk_…`, or exchanges it at `POST /oauth/token`. Its role is not above the caller's. It has no records of its own.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-key/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete API keys
         * @description They stop at once, with their tokens. Only an owner deletes keys of an owner's role.
         */
        post: operations["deleteApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an API key anew
         * @description The key before it, and its tokens, stop at once. All else of it stays as it is.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-key/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description The newest first. Supervisors see what concerns them and their people: what was done to them, and what they did but to others. Below an administrator, others' cards, carts, orders and subscriptions show no names and details.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-activities/verb/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the audit log's verbs
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpAuditVerbs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a badge
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getBadge"];
        /**
         * Change a badge
         * @description Optional fields that are not given stay. What was awarded before keeps the points of its time.
         */
        put: operations["updateBadge"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/award": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Award a badge to users
         * @description With its points; once more to a user who holds it.
         */
        post: operations["awardBadge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a badge
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createBadge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete badges
         * @description A badge that a user holds or that a gamification event gives is kept, and counted.
         */
        post: operations["deleteBadges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badges/defaultBadgeLookUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the default icons
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpDefaultBadges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badges/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List badges
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listBadges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/card/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a card
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getCard"];
        /**
         * Change a card
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateCard"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/card/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a card
         * @description As the payment gateway reports it. Of the number, the last four digits alone are taken.
         */
        post: operations["createCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/card/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete cards
         * @description One that an active subscription is paid with is kept.
         */
        post: operations["deleteCards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/card/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cards
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a cart
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getCart"];
        /**
         * Change a cart
         * @description New items without a total are added up anew.
         */
        put: operations["updateCart"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a cart
         * @description As the shop reports it. Amounts are kept exactly, in the currency's minor unit.
         */
        post: operations["createCart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete carts
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteCarts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cart/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List carts
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listCarts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/course/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up course categories
         * @description By name: all of them unless page_size is given.
         */
        get: operations["lookUpCourseCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/module/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up module categories
         * @description By name: all of them unless page_size is given.
         */
        get: operations["lookUpModuleCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/product/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up product categories
         * @description By name: all of them unless page_size is given.
         */
        get: operations["lookUpProductCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/question/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up question categories
         * @description By name: all of them unless page_size is given.
         */
        get: operations["lookUpQuestionCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/user/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up user categories
         * @description By name: all of them unless page_size is given.
         */
        get: operations["lookUpUserCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/category/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a category
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getCategory"];
        /**
         * Rename a category
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateCategory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/category/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a category
         * @description A name is unique among the categories of its type, in whatever letters.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/category/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete categories
         * @description The records in them stay, without the category. Where there are many, a job takes them out, and the answer has its `jobId`.
         */
        post: operations["deleteCategories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a certificate template
         * @description Lengths are pixels of the template, from its top left corner; in the PDF, 96 of them make an inch. A text is wrapped in its box, and made smaller where the box is too small for it.
         */
        post: operations["createCertificateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a certificate template
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getCertificateTemplate"];
        /**
         * Change a certificate template
         * @description Lengths are pixels of the template, from its top left corner; in the PDF, 96 of them make an inch. A text is wrapped in its box, and made smaller where the box is too small for it. What is not given stays. Certificates that were issued keep the template as it was then.
         */
        put: operations["updateCertificateTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/background/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an uploaded background
         * @description Its random name is known to those who may read the template.
         */
        get: operations["getCertificateBackground"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete certificate templates
         * @description One that a course uses is kept, and so is one with which certificates were issued.
         */
        post: operations["deleteCertificateTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/fontFamilyLookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fonts of certificates
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpCertificateFonts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/keysLookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a template's fields can print
         * @description The ten keys, then the custom user fields that are marked for certificates (isFieldOnCertificate).
         */
        get: operations["lookUpCertificateKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/preview/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a certificate with demo data
         * @description For the caller alone: their own registrations, unless expired, in the courses that use the template get their text modules Completed at 100 percent. Without a session nothing is marked, nor when a browser that is signed in follows a link here. Below staff, a template is known to those who are registered in such a course.
         */
        get: operations["previewCertificateTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_template/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a certificate's background
         * @description A PNG or a JPEG of up to 5 MB and 8 million pixels, judged by its content.
         */
        post: operations["uploadCertificateBackground"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_templates/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every certificate template by name
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["lookUpCertificateTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_templates/quickEdit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give certificate templates another author
         * @description Unknown ids are skipped; the message says how many templates were changed.
         */
        post: operations["quickEditCertificateTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificate_templates/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List certificate templates
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listCertificateTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class-recording/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a recording of a class
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createClassRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class-recording/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete recordings of classes
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteClassRecordings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/assignCertificate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue certificates to learners of a class
         * @description The certificate of the class's course. Those who are No Show or Cancelled, or have a certificate of the course that holds, are skipped.
         */
        post: operations["issueClassCertificates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/calendar/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a class as an iCalendar file
         * @description One event (RFC 5545) in the class's time zone, which recurs where the class does; its URL joins a webinar. For those who hold a place in it, and above.
         */
        get: operations["downloadClassCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a class
         * @description A onetime class has starttime and endTime; a recurring one has its dates from recurrence. Any enabled user may instruct. Study material is uploaded first.
         */
        post: operations["createClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a class with its enrollments
         * @description Where there are many enrollments, a job deletes it, and the answer has its `jobId`.
         */
        post: operations["deleteClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/delete-course-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete all classes of a course with their enrollments
         * @description The message says how many classes were deleted and how many enrollments ended. Where they are many, a job does it, and the answer has its `jobId`.
         */
        post: operations["deleteCourseClasses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a class, for the form that changes it
         * @description Returns `classDetails`, as `POST /api/class/update` takes it back.
         */
        get: operations["getClass"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/enroll/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll users in a class
         * @description A cancelled place is given back. Of more users than there are seats the first are enrolled; notEnrolledUsers names the others. A class that has ended, is disabled or has no seat left takes nobody. Administrators of groups and portals enroll their people, not themselves. Enrolling in the course is a call of its own.
         */
        post: operations["enrollInClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/enrolled-students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a class's learners
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listClassStudents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/get-class-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of classes
         * @description A row per session, in the order of their dates; times are those of each class's time zone, start_time and end_time are instants. group_id bounds it to the courses in which the group has seats. portalId bounds it to those in which the portal's members are enrolled. dates are days of the academy's time zone.
         */
        get: operations["listClassSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/get-course-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a course's classes
         * @description group_id bounds it to the courses in which the group has seats. portalId bounds it to those in which the portal's members are enrolled. dates are days of the academy's time zone.
         */
        get: operations["listCourseClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/remove/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove enrollments from a class
         * @description Unknown ids and those of other classes are skipped; the message says how many were removed.
         */
        post: operations["removeFromClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/reports/class-detailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report a class's learners in detail
         * @description The totals are those before the search. started_on and completed_on are the class's own start and end.
         */
        get: operations["reportClassInDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/reports/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Class enrollments by status, class by class
         * @description Of everyone for staff, of their own people for a group or portal administrator, or of one group's members. The latter two see the classes with any of these people.
         */
        get: operations["getClassesOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/study-material": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a class with its study material
         * @description The learner's own call counts as their last access.
         */
        get: operations["getClassWithMaterial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/study-material/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Save a file of study material
         * @description For staff, the class's instructor, those who hold a place in it, and their supervisors. Takes Range, If-Range and If-None-Match. Where the class does not allow downloads: 403.
         */
        get: operations["downloadStudyMaterial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/study-material/{id}/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a file of study material in place
         * @description For staff, the class's instructor, those who hold a place in it, and their supervisors. Takes Range, If-Range and If-None-Match.
         */
        get: operations["viewStudyMaterial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/study-material/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of study material
         * @description For a class to name by its media_id. Its type is judged by its content. One that is in no class is removed once it is seven days old.
         */
        post: operations["uploadStudyMaterial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List classes
         * @description group_id bounds it to the courses in which the group has seats. portalId bounds it to those in which the portal's members are enrolled. dates are days of the academy's time zone.
         */
        get: operations["listClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a class
         * @description id or classId names the class; fields that are left out stay. A recurrence makes the class recur, or recur otherwise: its sessions are replaced. The type onetime leaves a recurring class with one session: the first, or that of startTime and endTime. Where timeZone alone changes, the wall times stay. A location must have room for those who are enrolled.
         */
        post: operations["updateClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/update-class-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Set a class enrollment's status
         * @description `status` is one of Registered, Attended, No Show and Cancelled. Cancelled frees the seat.
         */
        get: operations["updateClassStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/webinar/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the webinar of a class enrollment
         * @description The times are those of the session that is on or next, else of the last. A class's instructor reads those of the whole class.
         */
        get: operations["getWebinar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/class/webinar/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Launch the webinar of a class enrollment
         * @description From 15 minutes before a session starts until it ends. The credential in the url is for the caller and the class alone, lasts two hours, and makes the class's instructor the host. Notes when the registrant launched it.
         */
        get: operations["launchWebinar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a course
         * @description A draft is for staff and above alone.
         */
        get: operations["getCourse"];
        /**
         * Change a course
         * @description modules replaces the course's modules. Enrollments are recounted: no percent falls, and no Completed is undone. Where there are many, a job does it and the answer has its `jobId`.
         */
        put: operations["updateCourse"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/all-submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was submitted in any course
         * @description search_param.status is an extension: Submitted is what awaits its evaluation. There are no discussions: that type finds nothing.
         */
        get: operations["listAllSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/assignCertificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue certificates for Completed registrations
         * @description For those that were Completed before their course had a template: all others have theirs already.
         */
        post: operations["issueCourseCertificates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a course
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createCourse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete courses
         * @description One with enrollments is kept. Where a course has many reviews or activities, a job deletes it, and the answer has its `jobId`.
         */
        post: operations["deleteCourses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll users in courses
         * @description Every user in every course. Where a course or the group has too few seats left, nobody is enrolled: 409. Up to 20,000 pairs.
         */
        post: operations["enrollUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/enrolled-students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a course's learners
         * @description The totals are those of everyone in the list before the search: those whom the caller may see, in the group and in the portal that the call names.
         */
        get: operations["listCourseStudents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a registration's modules, each with where it stands
         * @description Returns every module of the course in its order. `status_row_id` is -1 until the learner opens the module.
         */
        get: operations["listRegistrationModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/recertify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an expired registration anew
         * @description Once it is Completed and has expired, in a course with a term of its own (canRecertify): back to Not Started, for a new term.
         */
        post: operations["recertifyEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record registrations that were made in another system
         * @description Each with its own dates, up to 5,000 in a call. Whoever is registered already stays as is, so that an import can be repeated. Where a course has too few seats left, nobody is registered: 409.
         */
        post: operations["recordEnrollments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/reports/by-day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report enrollments, starts and completions by day
         * @description Of one course, or of all of them. Days are those of UTC. Each act counts on the day that it has in the course's history, so that records of another system count on theirs. What happened stays counted: when the registration ends, begins anew or is reset, and when the user is deleted or erased. A registration that is made or begun again counts again.
         */
        get: operations["reportCourseDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/reports/course-detailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report a course's learners in detail
         * @description The columns of the user-detailed report, a row for each learner. The totals are those before the search.
         */
        get: operations["reportCourseInDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/reports/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report where a course's learners are, module by module
         * @description How many registrations of the course are in which state of each of its modules.
         */
        get: operations["reportCourseModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/reports/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Enrollments by status, course by course
         * @description Of everyone for staff, of their own people for a group or portal administrator, or of one group's members.
         */
        get: operations["getCoursesOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take registrations back to Not Started
         * @description The time spent stays. One that has expired begins a new term: the course's own, or until expire_on.
         */
        post: operations["resetEnrollments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/self-enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll oneself in a course of the library
         * @description In a published course that is marked selfEnroll or has an enrollment key, which must be given then. Whoever is enrolled already is told so. Ten wrong keys within 15 minutes: 429.
         */
        post: operations["enrollSelf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was submitted in a course
         * @description search_param.status is an extension: Submitted is what awaits its evaluation. There are no discussions: that type finds nothing.
         */
        get: operations["listCourseSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/course/unenroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End registrations
         * @description What was done in them goes with them.
         */
        post: operations["unenrollUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coursecategory/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List course categories
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listCourseCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/courses/dropdownlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the courses in which a group has seats
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listGroupCourses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/courses/locations/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where classes are held
         * @description Of a course, or without course_id of all courses. group_id bounds it to the courses in which the group has seats.
         */
        get: operations["lookUpCourseLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/courses/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List courses
         * @description Staff and above see drafts too; group_id bounds it to the courses in which the group has seats, portalId to those in which the portal's members are registered. Below staff, both name what the caller administers.
         */
        get: operations["listCourses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credential/group/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the credential provider's groups
         * @description Asks the provider with this service's own key.
         */
        get: operations["lookUpCredentialGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credential/validate-key/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a key of the credential provider
         * @description Asks the provider. A key that it refuses answers 200 with the status error. The key is neither stored, logged nor answered.
         */
        get: operations["validateCredentialKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/default-address/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user's default address of a type
         * @description The id is the user's. 404 where none is the default.
         */
        get: operations["getDefaultAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/diagnostics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the deployment is made of
         * @description Settings, bindings, database, cron and queues as the service sees them, without any secret. `npm run doctor` reads it, and says what is wrong and how to fix it.
         */
        get: operations["getDiagnostics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/email/resendNewAccountEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new password for a user and mail it to them
         * @description The password works once, within two days: signing in with it answers 401 with `setPasswordUrl`, where the user chooses one of their own. Ends the user's sessions. An unknown user is ignored.
         */
        post: operations["resendNewAccountEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened
         * @description Every event in order, each once: ask again with the answer's `cursor` as `after`. An answer without events may still have a new cursor: of few types, it tells how far was looked. Events are kept for 30 days; a cursor from before that is answered with 410.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gamification-event/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a gamification event
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getGamificationEvent"];
        /**
         * Change a gamification event
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateGamificationEvent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gamification-event/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a gamification event
         * @description From then on, whoever completes a course or learning path, passes a quiz, has an assignment accepted, attends a class or signs in is awarded points, a badge or both: once for each such record, and once a day for a login.
         */
        post: operations["createGamificationEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gamification-event/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete gamification events
         * @description What they awarded stays.
         */
        post: operations["deleteGamificationEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gamification-event/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List gamification events
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listGamificationEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/getaddress/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an address
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a group
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getGroup"];
        /**
         * Change a group
         * @description Fields that are left out stay. user_ids, admin_ids and course_seats replace the sets; add_user_ids and remove_user_ids leave the other members be; unknown users are skipped and counted. Honors If-Match.
         */
        put: operations["updateGroup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a group
         * @description Unknown users are skipped and counted. Learners who are to administer it become group_admin.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete groups
         * @description The users stay.
         */
        post: operations["deleteGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Staff see all, supervisors those that they administer.
         */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a background job
         * @description A change that touches more rows than one batch may write answers at once with a `jobId`, and a job does the rest. Until it completes, each row is either as before the change or as after it. The progress never falls; a job is retried until it completes, and can be looked up for 30 days after that.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learner-insight/report/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the user report to a spreadsheet
         * @description Answers at once; ask for the progress, then download the file. Asked again with the same body while it runs, it answers with the same export_id.
         */
        post: operations["exportUserReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learner-insight/report/export/cancel/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export of the user report
         * @description Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.
         */
        post: operations["cancelUserReportExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learner-insight/report/export/download/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a completed export of the user report
         * @description Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadUserReportExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learner-insight/report/export/progress/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far an export of the user report is
         * @description Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once completed, where the file is. The export of another caller answers 404.
         */
        get: operations["getUserReportExportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a learning path
         * @description Below staff a private one is for those enrolled alone.
         */
        get: operations["getLearningPath"];
        /**
         * Change a learning path
         * @description course_ids replaces its courses: no percent falls and no Completed is undone. Users of the path are enrolled in a course added by enrolling them in the path again. Where many users are enrolled, a job recounts their progress, and the answer has its `jobId`.
         */
        put: operations["updateLearningPath"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a learning path
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createLearningPath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete learning paths
         * @description One with enrollments is kept.
         */
        post: operations["deleteLearningPaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll users in learning paths
         * @description And in every course of these. Where a course has too few seats left, nobody is enrolled: 409. Up to 20,000 pairs of a user and a course.
         */
        post: operations["enrollUsersInLearningPaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List learning paths
         * @description Below staff the public ones, and those that the caller takes.
         */
        get: operations["listLearningPaths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learningpath/unenroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End registrations in learning paths
         * @description Registrations in the courses, and what was done in them, stay.
         */
        post: operations["unenrollUsersFromLearningPaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/location/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a location
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getLocation"];
        /**
         * Change a location
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateLocation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/location/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a location
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/location/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete locations
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteLocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/location/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List locations
         * @description The search for a name looks in the address too.
         */
        get: operations["listLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who calls, what they may and until when, and of which academy
         * @description Any API key may ask, whatever its families.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/membership/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a membership
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getMembership"];
        /**
         * Change a membership
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateMembership"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/membership/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a membership
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createMembership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/membership/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete memberships
         * @description One that a user holds is kept.
         */
        post: operations["deleteMemberships"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/membership/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memberships
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listMemberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/membership/user-contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a user's membership gives
         * @description Its published courses, or with type modules what they are made of; recordsTotal counts both. Nothing once the membership has run out. An anonymous call without user_id lists what any membership gives.
         */
        get: operations["listMembershipContents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open an assignment of a registration
         * @description Opens the module (In Progress) and counts the access, where launchCheck allows it. For the learner, or staff.
         */
        get: operations["openAssignment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a submitted assignment
         * @description Accepted, the assignment is Completed and has its points; else it is In Progress again, with the message kept. Before it is Submitted: 409.
         */
        post: operations["evaluateAssignment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record submissions that were made in another system
         * @description Their points and dates without the work itself, up to 500 in a call. Accepted ones complete their assignments as of evaluated_on. One of the same registration, assignment and submitted_on is not recorded twice, so that an import can be repeated.
         */
        post: operations["recordSubmissions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a learner submitted for an assignment
         * @description For the learner, their supervisors and staff.
         */
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit an assignment
         * @description The assignment becomes Submitted. Submitted again before it is evaluated, it has another attempt, and the one before is Closed. Once Completed, or while it is locked, not open yet or wants more time: 409.
         */
        post: operations["submitAssignment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file to be submitted
         * @description Its type is judged by its content. A file that no submission refers to is removed after seven days.
         */
        post: operations["uploadAssignmentFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/assignment/upload/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an uploaded file
         * @description For whoever uploaded it, the learner who submitted it, their supervisors, and staff. Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadAssignmentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record progress in a module
         * @description The first call opens the module. A module that is locked, opens later or needs more time answers 409, as does an expired registration.
         */
        post: operations["recordProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/module/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record progress that was made in another system
         * @description Each with its own dates, up to 5,000 in a call. A module that a registration has opened already stays as it is, so that an import can be repeated.
         */
        post: operations["recordModuleStatuses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modulecategory/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List module categories
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listModuleCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assignment modules
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listAssignmentModules"];
        put?: never;
        /**
         * Create an assignment module
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createAssignmentModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/assignment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an assignment module
         * @description Below staff: for those who have opened it in a course, which minds its locks and dates (module/progress).
         */
        get: operations["getAssignmentModule"];
        /**
         * Change an assignment module
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateAssignmentModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/quiz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List quiz modules
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listQuizModules"];
        put?: never;
        /**
         * Create a quiz module
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createQuizModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/quiz/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a quiz module
         * @description With its answers, so for staff and above: learners are asked by quiz/attempt.
         */
        get: operations["getQuizModule"];
        /**
         * Change a quiz module
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateQuizModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/scorm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List SCORM modules
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listScormModules"];
        put?: never;
        /**
         * Create a SCORM module
         * @description A multipart form with the package as a zip, SCORM 1.2 or 2004, up to 25 MB, 900 files and 250 MB unpacked. Its first item with something to launch is what is launched.
         */
        post: operations["createScormModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/scorm/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a SCORM module
         * @description Below staff: for those who have opened it in a course, which minds its locks and dates (module/progress).
         */
        get: operations["getScormModule"];
        /**
         * Change a SCORM module
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateScormModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/scorm/{id}/package": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a SCORM module's package
         * @description A multipart form with the package as a zip, SCORM 1.2 or 2004, up to 25 MB, 900 files and 250 MB unpacked. Its first item with something to launch is what is launched. Attempts keep their data; the files before stay for those who have them open.
         */
        post: operations["replaceScormPackage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List text modules
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listTextModules"];
        put?: never;
        /**
         * Create a text module
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createTextModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/text/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a text module
         * @description Below staff: for those who have opened it in a course, which minds its locks and dates (module/progress).
         */
        get: operations["getTextModule"];
        /**
         * Change a text module
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateTextModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List video modules
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listVideoModules"];
        put?: never;
        /**
         * Create a video module
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createVideoModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/modules/video/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a video module
         * @description Below staff: for those who have opened it in a course, which minds its locks and dates (module/progress).
         */
        get: operations["getVideoModule"];
        /**
         * Change a video module
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateVideoModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getOrder"];
        /**
         * Change an order
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an order
         * @description As the payment system reports it. Amounts are kept exactly, in the currency's minor unit.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete orders
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a portal
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getPortal"];
        /**
         * Change a portal
         * @description Fields that are left out stay. member_ids and admin_ids replace the sets; add_member_ids and remove_member_ids leave the other learners be. Newcomers to an expired or inactive portal, and more learners than seats, are refused with 409, and nothing is changed. Honors If-Match.
         */
        put: operations["updatePortal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a portal
         * @description Unknown users are skipped and counted. Administrators get the portal's userType, unless their own type ranks as high.
         */
        post: operations["createPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete portals
         * @description The users stay. A portal with others below it is kept unless they are deleted too.
         */
        post: operations["deletePortals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List portals
         * @description Staff see all, supervisors those that they administer. With portalId: the portals below that one.
         */
        get: operations["listPortals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/productcategory/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List product categories
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listProductCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/questioncategory/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List question categories
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listQuestionCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quiz-report/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report how attempts at a quiz scored
         * @description How many Completed attempts at a quiz of a course earned which percent. An attempt that a reset ended counts as it was ended: with nothing.
         */
        get: operations["reportQuizScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quiz-report/spreadsheet/{statusRowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a learner's attempts at a quiz, question by question
         * @description Learners are told what is right once the quiz is Completed.
         */
        get: operations["downloadQuizReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quiz/attempt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an attempt at a quiz, or go on with the one that is open
         * @description Opens the module. The attempt keeps the questions as they are now, whatever becomes of the quiz. A locked or not yet open module, an expired registration and a quiz without an attempt left answer 409.
         */
        post: operations["beginQuizAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quiz/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record attempts that were made in another system
         * @description Scores and dates without the answers, up to 500 in a call. Passed ones complete their modules as of submitted_on. An attempt of the same registration, quiz and submitted_on is not recorded twice, so that an import can be repeated.
         */
        post: operations["recordQuizAttempts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quiz/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit an attempt and have it marked
         * @description A question earns all its points or none: of `multiple`, all the right options and no others; a short text is compared without regard to case and spacing. A passed attempt completes the module; the best points are kept. What comes in more than 30 seconds after the time limit counts nothing. Submitted again: 409.
         */
        post: operations["submitQuizAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a review
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getReview"];
        /**
         * Change a review
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a review
         * @description Users review a course that they are enrolled in, once. Below staff, callers write their own reviews alone; others write for whom they may change.
         */
        post: operations["createReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete reviews
         * @description Below staff, callers delete their own reviews alone; the ids of others count as unknown.
         */
        post: operations["deleteReviews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scorm-activity-report/spreadsheet/{modulesStatusId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what a learner answered in a SCORM package
         * @description A row per interaction, with SCORM 2004's names whatever the package's version.
         */
        get: operations["downloadScormActivityReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scorm-report/spreadsheet/{modulesStatusId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a learner's attempts at a SCORM package
         * @description One row per attempt: status, score and total time.
         */
        get: operations["downloadScormReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scorm/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Commit a SCORM package's run-time data
         * @description Takes what a runtime such as scorm-again commits, whole. Completed, and not failed, completes the module; the best score is kept as its points. The module may be named in the query too, for runtimes that only take a URL.
         */
        post: operations["commitScorm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scorm/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Launch a SCORM package: where it is, and the data that it goes on with
         * @description For the learner, and staff. The module opens with the first commit. A locked or not yet open module, an expired registration, and a service without an origin for packages (`CONTENT_ORIGIN`) answer 409.
         */
        get: operations["launchScorm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sendCartReminderEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a user what is in their cart
         * @description The cart of a disabled user answers 409. The mail goes through the outbox.
         */
        post: operations["sendCartReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign devices out
         * @description An administrator ends those of users whom they may change, too.
         */
        post: operations["signOutDevices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices that are signed in
         * @description Sessions of twelve hours, which were opened without a `device`, are none of them.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso-provider/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sign-in provider
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getSignInProvider"];
        /**
         * Change a sign-in provider
         * @description Only a changed `issuer` or `clientId` undoes the links to users: they are found by their address again.
         */
        put: operations["updateSignInProvider"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso-provider/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sign-in provider
         * @description OpenID Connect: authorization code with PKCE. Register the record's `callbackUrl` at the provider. The sign-in page then shows its button, that of a portal on `/login?portal=` with its id or slug.
         */
        post: operations["createSignInProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso-provider/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete sign-in providers
         * @description The users stay; without a password they need one by the forgotten-password mail or a new account mail.
         */
        post: operations["deleteSignInProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso-provider/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sign-in providers
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listSignInProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso-provider/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the links of users to the people of a provider
         * @description A user is linked with the person whom a provider first signed in with their address. Another person with that address is refused until the link is undone.
         */
        post: operations["unlinkSsoUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/student/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the announcements for the caller
         * @description Those that have not expired. With portalId those for that portal's members, where the caller is one.
         */
        get: operations["listStudentAnnouncements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscription/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getSubscription"];
        /**
         * Change a subscription
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateSubscription"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscription/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a subscription
         * @description As the payment system reports it.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscription/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete subscriptions
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscription/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update-certificate-dates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change when a certificate was issued and when it expires
         * @description Without an expiry date the certificate keeps the one it has; null: it does not expire. Its code and page stay.
         */
        put: operations["updateCertificateDates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update-certificate-issue-date": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change when a certificate was issued
         * @description The older spelling, for the issue date alone.
         */
        put: operations["updateCertificateIssueDate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what users did in courses
         * @description One user's; under context admin, without user_id, those of everyone whom the caller may see. Under any other context the caller's own.
         */
        get: operations["listUserActivities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-certificate/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a certificate
         * @description A PDF with a QR code of its public page, which tells whether it holds. It is drawn with its template as it was at issue. Letters that no font has show as boxes; the header x-letters-without-font names them.
         */
        get: operations["downloadCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-certificates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's certificates
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listUserCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-consent/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a consent
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getConsent"];
        /**
         * Change a consent
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateConsent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-consent/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a consent
         * @description Callers below staff record their own, as of now and from where they call.
         */
        post: operations["createConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-consent/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete consents
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteConsents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-consent/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List consents
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-consents/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what users agreed to and refused
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listUserConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-meta/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether two-factor authentication is on
         * @description Your own; whoever may turn it off for a user sees whether it is on. The codes are answered while a prepared secret waits to be confirmed, and never once it is on.
         */
        get: operations["getTwoFactorState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders, of one user or of all that the caller may see
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listUserOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where users come from, by name
         * @description All of them unless page_size is given.
         */
        get: operations["lookUpUserSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-source/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user source
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getUserSource"];
        /**
         * Change a user source
         * @description Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record that changed since it was read answers 412.
         */
        put: operations["updateUserSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-source/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a user source
         * @description Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.
         */
        post: operations["createUserSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-source/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete user sources
         * @description The service's own sources and those that users came from are kept.
         */
        post: operations["deleteUserSources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-source/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List user sources
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listUserSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions, of one user or of all that the caller may see
         * @description The caller's own; everybody's for an admin.
         */
        get: operations["listUserSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getUser"];
        /**
         * Change a user
         * @description Fields that are left out stay as they are. Honors If-Match. Callers' own email address changes once they open the link that is mailed to the new one, and the message says so; others' change at once. The address before is mailed a notice.
         */
        put: operations["updateUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/addAddress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an address to a user
         * @description With isDefault true the user's other addresses of the type are default no longer. With false it is stored as given, the first address too.
         */
        post: operations["addUserAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/delete-certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take a certificate back
         * @description The body names the certificate; the path the user (the certificate's own id is taken too). It leaves every list and count, and its public page says that it was revoked.
         */
        put: operations["deleteUserCertificate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/update-membership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a user a membership, or revoke it
         * @description The older form is {membership: {id, name, expired_at}}. A user has one membership at most: the one given takes the place of another. Honors If-Match.
         */
        put: operations["updateUserMembership"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/badges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the badges that a user holds
         * @description All of them, the last earned first.
         */
        get: operations["listUserBadges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/blockedEmailsAndDomains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set which email addresses and domains are blocked and allowed
         * @description A list that is given replaces the one that there is; one that is left out stays.
         */
        put: operations["updateEmailRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bulkUpload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many users
         * @description Each row lands whole or not at all, by the rules of creating a user. A known email address is left as it is but enrolled; of rows with the same address the first counts. A blank password makes an account without one, whose owner is sent a link to choose one. Up to 20 rows, and dry runs, are answered with the finished counts; more are taken, and the answer's upload_id asks for the progress. Columns are custom fields' keys or labels, whatever their case; others are passed over.
         */
        post: operations["bulkUploadUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bulkUpload/progress/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far a bulk upload is
         * @description The caller's own; known for seven days.
         */
        get: operations["getBulkUploadProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/class/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report class enrollments in detail
         * @description Of one user, of a group's or portal's members, or of everyone whom the caller may see; learners see their own. The totals are those before the search.
         */
        get: operations["reportUserClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/confirmTwoFactorAuth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor authentication on
         * @description For yourself, with a first code. Ends every session of the user, the calling one too. Ten wrong codes within 15 minutes: 429.
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a user
         * @description Mails the user where to sign in, or, with sendInvitation, a link to choose a password. An API key makes learners, and gives passwords only with the scope credentials: without it, every new user is sent the link.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/dashboard/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count a user's courses by status
         * @description With the names of the older and of the newer form.
         */
        get: operations["getDashboardStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete users
         * @description Users with enrollments or access to a portal, and authors, are kept. Unknown ids are counted, never an error.
         */
        post: operations["deleteUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/delete-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a card
         * @description paymentTokenId is the card's id. 400 when an active subscription is paid with it, and when it changed while the call ran.
         */
        post: operations["deleteSavedCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/disableTwoFactorAuth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor authentication off
         * @description Your own, or that of a user whom you may change. Ends every session of the user.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person
         * @description Cannot be undone. At once the account is nobody's and its sessions, devices and keys end; whatever else is held of the person goes in the background. What was learned, ordered and done stays and counts, of an erased user without a name. An owner alone erases an owner.
         */
        post: operations["eraseUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/erase/progress/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far the erasure of a person is
         * @description By the user's id. What is known of an erasure is known for ever.
         */
        get: operations["getErasureProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/getBlockedEmailsAndDomains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which email addresses and domains are blocked and allowed
         * @description The most particular entry decides: an address before its domain, a domain (which stands for its subdomains) before those above it. Where any are allowed, only those are.
         */
        get: operations["getEmailRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/getBulkUploadSampleFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the columns of a bulk upload, with a filled and some blank records
         * @description `headers` ends with one column per custom field. Blank records are skipped when they are sent back.
         */
        get: operations["getBulkUploadSample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/gradebook/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the gradebook to a spreadsheet
         * @description Without courseId, it has the graded modules of every course in which somebody of it is registered. Answers at once; ask for the progress, then download the file. Asked again with the same body while it runs, it answers with the same export_id.
         */
        post: operations["exportGradebook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/gradebook/export/cancel/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export of the gradebook
         * @description Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.
         */
        post: operations["cancelGradebookExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/gradebook/export/download/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a completed export of the gradebook
         * @description Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadGradebookExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/gradebook/export/progress/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far an export of the gradebook is
         * @description Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once completed, where the file is. The export of another caller answers 404.
         */
        get: operations["getGradebookExportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/leaderboard/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the leaderboard, and where a user stands on it
         * @description The users with the most points among all that are not disabled, page_size of them (50 unless given), and the user who is asked for. Equal points share a rank, and the next rank counts them all: 1, 2, 2, 4; they stand in the order of their ids. Tiers: Platinum from 5000 points, Gold from 1500 points, Silver from 500 points, Bronze from 100 points, Newcomer from 0 points. Below staff, users who share no group or portal with the caller show as initials.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/learner-quizzes/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export learner quizzes to a spreadsheet
         * @description Answers at once; ask for the progress, then download the file. Asked again with the same body while it runs, it answers with the same export_id.
         */
        post: operations["exportLearnerQuizzes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/learner-quizzes/export/cancel/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export of learner quizzes
         * @description Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.
         */
        post: operations["cancelLearnerQuizzesExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/learner-quizzes/export/download/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a completed export of learner quizzes
         * @description Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadLearnerQuizzesExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/learner-quizzes/export/progress/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far an export of learner quizzes is
         * @description Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once completed, where the file is. The export of another caller answers 404.
         */
        get: operations["getLearnerQuizzesExportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/personal-data/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export a person's data
         * @description A zip archive of all that is held about a person, as JSON, with their files. Everyone for themselves; administrators for others, owners alone for an owner. Answers at once; ask for the progress, then download the file. Asked again with the same body while it runs, it answers with the same export_id.
         */
        post: operations["exportPersonalData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/personal-data/export/cancel/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export of a person's data
         * @description Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.
         */
        post: operations["cancelPersonalDataExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/personal-data/export/download/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a completed export of a person's data
         * @description Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadPersonalDataExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/personal-data/export/progress/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far an export of a person's data is
         * @description Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once completed, where the file is. The export of another caller answers 404.
         */
        get: operations["getPersonalDataExportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/portal-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create portals that a user administers
         * @description clonePortalAdmins copies the administrators, cloneBrandingNotifications the logo, colors and mail settings of the portal that portalId names, else of each portal's parent.
         */
        post: operations["createUserPortals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/portals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's portals
         * @description A supervisor sees, of another user, the portals that they administer.
         */
        get: operations["listUserPortals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/prepareTwoFactorAuth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a two-factor secret
         * @description For yourself. It waits an hour to be confirmed; a later one replaces it.
         */
        post: operations["prepareTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/quickEdit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable or enable users, give them a membership, and enroll them in courses and learning paths
         * @description A membership enrolls in its courses too, and is an administrator's to give.
         */
        post: operations["quickEditUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/reports/student-quizzes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report on quizzes and their attempts
         * @description With user_id, that user's attempts and a row (attempt 0) for each quiz not tried; without it, the attempts of everyone whom the caller may see, and the quizzes not tried where search_param.status asks for Not Started. recordsTotal counts both always, and searchPortalIds is a search: no total changes with it. The totals of In Progress and Completed count attempts, Not Started counts quizzes without one.
         */
        get: operations["reportQuizzes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/reports/user-detailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report registrations in detail
         * @description Of one user, of a group's or portal's members, or of everyone whom the caller may see; learners see their own. The totals are those before the search.
         */
        get: operations["reportUserInDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/saved-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's cards
         * @description The caller's own; anybody's for an admin.
         */
        get: operations["listSavedCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/updateAddress/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an address
         * @description The id is the address's. Fields that are left out stay as they are. Honors If-Match.
         */
        post: operations["updateAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/updatePassword/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a user's password
         * @description Ends the user's sessions, and mails them a notice.
         */
        put: operations["updateUserPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/userAddress/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's billing addresses, the default first
         * @description Returns every address of the user in one answer. Users see their own addresses, admins those of everybody.
         */
        get: operations["listBillingAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/userBulkUploadSpreadsheet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many users from a spreadsheet
         * @description The first sheet of an xlsx, or a csv; its first row names the columns. Each row lands whole or not at all, by the rules of creating a user. A known email address is left as it is but enrolled; of rows with the same address the first counts. A blank password makes an account without one, whose owner is sent a link to choose one. Up to 20 rows, and dry runs, are answered with the finished counts; more are taken, and the answer's upload_id asks for the progress. Columns are custom fields' keys or labels, whatever their case; others are passed over.
         */
        post: operations["bulkUploadUsersFromSpreadsheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/userShippingAddress/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's shipping addresses, the default first
         * @description Returns every address of the user in one answer. Users see their own addresses, admins those of everybody.
         */
        get: operations["listShippingAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usercategory/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List user categories
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listUserCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/can-delete-field": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether a custom field can be deleted without losing data
         * @description No when users have values for it or certificate templates print it; the message says which.
         */
        get: operations["canDeleteCustomField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/class-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a user's classes
         * @description Those that start between two dates, in their order, as a calendar shows them; at most 1,000.
         */
        get: operations["listUserClassSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/customRegistrationFields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of the registration page
         * @description Returns the fields that a sign-up asks for, in their display order.
         */
        get: operations["listRegistrationFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/customUserFields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields
         * @description Returns every field in its display order. `PUT` on the same path replaces them.
         */
        get: operations["listCustomFields"];
        /**
         * Replace the custom fields
         * @description Fields are known by their userMetaKey. Those that are absent are deleted with all their values, new ones are added, the others keep their values. The order given is the order kept. Where there are many values to delete, a job does it, and the answer has its `jobId`.
         */
        put: operations["replaceCustomFields"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/customUserFieldsReports/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reports that custom fields can be columns of
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpCustomFieldReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/enrolled-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's classes
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listEnrolledClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/enrolled-courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's courses
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listEnrolledCourses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/enrolled-learningpaths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's learning paths
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listEnrolledLearningPaths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export users to a spreadsheet
         * @description Answers at once; ask for the progress, then download the file. Asked again with the same body while it runs, it answers with the same export_id.
         */
        post: operations["exportUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/export/cancel/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export of users
         * @description Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.
         */
        post: operations["cancelUsersExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/export/download/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a completed export of users
         * @description Takes Range, If-Range and If-None-Match.
         */
        get: operations["downloadUsersExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/export/progress/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how far an export of users is
         * @description Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once completed, where the file is. The export of another caller answers 404.
         */
        get: operations["getUsersExportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/fieldtype/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of custom fields
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpCustomFieldTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/getUsersByType": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of a type, by first name
         * @description All of them unless page_size is given.
         */
        get: operations["listUsersByType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/library-courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the library's courses
         * @description The published ones, with the caller's registration in each.
         */
        get: operations["listLibraryCourses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/library-learningpaths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the library's learning paths
         * @description As portalLearningPaths, for a signed-in user.
         */
        get: operations["listLibraryLearningPaths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look users up by name or email address
         * @description All of them unless page_size is given.
         */
        get: operations["lookUpUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/portalLearningPaths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the learning paths on offer, with the caller's progress
         * @description The public ones, and private ones that the caller takes; every one for staff and above.
         */
        get: operations["listPortalLearningPaths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report users by when they were created
         * @description Within the caller's scope. registered_between takes the first and the last day, or two times.
         */
        get: operations["reportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/saveViewType": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keep how a user likes lists shown
         * @description `type` is a text of the client's own, up to 50 characters, such as `grid` or `list`.
         */
        get: operations["saveViewType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Staff and above see everyone; a group or portal administrator the members of their groups and portals.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/update-class-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Set a class enrollment's status
         * @description `status` is one of Registered, Attended, No Show and Cancelled. Cancelled frees the seat.
         */
        get: operations["updateUserClassStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/update-webinar-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Note something about class enrollments
         * @description Ids that are unknown to the caller are counted. Each that changes leaves an audit row.
         */
        get: operations["updateWebinarNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/update-webinar-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Set the status of class enrollments
         * @description Ids that are unknown to the caller are counted. Each that changes leaves an audit row.
         */
        get: operations["updateWebinarStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/viewType": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how a user likes lists shown
         * @description Returns the text that `saveViewType` stored; empty where it stored none.
         */
        get: operations["getViewType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/userType/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user types
         * @description Returns every value at once, without paging.
         */
        get: operations["lookUpUserTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.
         */
        get: operations["getWebhook"];
        /**
         * Change a webhook, or switch it off or on
         * @description Switched on, it goes on where it stopped, as far as events are kept.
         */
        put: operations["updateWebhook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what became of the events that a webhook was sent
         * @description The newest event first, for as long as events are kept.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a webhook
         * @description It is sent the events of its types from now on, as Standard Webhooks has it: `webhook-id`, `webhook-timestamp`, `webhook-signature`, and as body the event that the feed has. The answer tells its secret, once.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete webhooks
         * @description Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.
         */
        post: operations["deleteWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook events again
         * @description Some that it was sent, or every event since a time, each with the id that it had.
         */
        post: operations["redeliverEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook another secret
         * @description For a day both secrets sign, so that the receiver can change over. The answer tells the new one, once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/tabularlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns one page of the records that the caller may see. `recordsTotal` counts them before the search, `recordsFiltered` after it. The `Link` header leads to the next page.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook a test event
         * @description An event `webhook.test`, which the feed has too.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/certificate/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a certificate
         * @description A public page: whose certificate has this code, of which course, and whether it holds.
         */
        get: operations["verifyCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a course, its modules and how far the caller is
         * @description A page, where `courseSlug` and `launchSlug` lead: for whoever is signed in and may know of it.
         */
        get: operations["showCoursePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm one's new email address with a one-time link
         * @description The token is the link's, which is mailed to the address that a user asked for (PUT /api/user/{id}). It works once, within a day. It ends the user's sessions, and the address before is mailed a notice.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the service alive?
         * @description Asks nothing of the database, of a limit or of a session.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/learn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the caller's courses, certificates, classes to come and announcements
         * @description A page: where a learner begins who signs in by the form, unless APP_URL says otherwise.
         */
        get: operations["showOwnLearning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/learningpath/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a learning path, its courses and how far the caller is
         * @description A page, where `courseSlug` and `launchSlug` lead: for whoever is signed in and may know of it.
         */
        get: operations["showLearningPathPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a session
         * @description JSON answers with a bearer token; with `device`, also with a refresh token of 30 days (`/session/refresh`). A form, which only a page of this origin may send, answers 303 to `next` and sets the session cookie. Ten failures for an account within 15 minutes, or a hundred from a network address: 429. With two-factor on and no `code`: 401 with `twoFactorRequired`. Whom a sign-in provider is forced for: 403 with `signInUrl`, where the provider's sign-in begins. A temporary password opens no session: 401 with `passwordChangeRequired` and `setPasswordUrl`, a form 303 to it.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session, or all of the caller's
         * @description Without a body it ends the session of the call alone; the user's others go on.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for a token of an hour
         * @description OAuth 2.0's client credentials (RFC 6749): for programs that speak it; others send the key itself. The token ends with its key, at once. Errors are RFC 6749's.
         */
        post: operations["exchangeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link to choose a new password
         * @description Answers alike whether or not there is such an account. The link works once, for an hour. Five calls for an account within 15 minutes, or fifty from a network address: 429.
         */
        post: operations["requestPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Does the service work?
         * @description Whether the database answers, has the schema that the code needs, and mails and jobs go their way. An answer may be two seconds old.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a device's session
         * @description Answers an access token, and the refresh token that takes the place of the one that was sent. A refresh token holds for 30 days and once: used again, it ends the device with all its tokens. With an `Idempotency-Key` a call whose answer was lost can be repeated within ten minutes. The `Authorization` header is not looked at.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/set-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a password with a one-time link
         * @description The token is the link's. It works once, for two days, or an hour where the password was forgotten. It ends the user's sessions.
         */
        post: operations["setPasswordByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Where SIGN_UP is open, else 404. Mails a link that confirms the email address, for two days; until then there is no account. Whoever has one is mailed so, and the answer is alike. customUserMetas answers the fields of customRegistrationFields. Five calls for an address in 15 minutes, or fifty from a network address: 429.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-up/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a sign-up and choose a password
         * @description The token is the link's: it works once, for two days, and makes the account.
         */
        post: operations["confirmSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Activity: {
            avatar: string;
            course: string;
            created_at: string;
            email: string;
            id: number;
            message: string;
            name: string;
            /** @enum {string} */
            verb: "ENROLLED" | "STARTED" | "COMPLETED" | "RESET" | "UNENROLLED";
        };
        Address: {
            addressLine1: string;
            addressLine2: string;
            /**
             * @description The type as default-address takes it
             * @enum {string}
             */
            addresstype: "billing_address" | "shipping_address";
            billing_address_id: number | null;
            city: string;
            country: string;
            fullName: string;
            id: number;
            isDefault: boolean;
            orgName: string;
            orgVatId: string;
            state: string;
            /** @enum {string} */
            type: "billing" | "shipping";
            userId: number;
            zipcode: string;
        };
        AddressChanges: {
            addressLine1?: string;
            addressLine2?: string;
            /** @description As in addAddress; a billing address may name itself */
            billing_address_id?: number | null;
            city?: string;
            country?: string;
            fullName?: string;
            isDefault?: boolean;
            orgName?: string;
            orgVatId?: string;
            state?: string;
            /** @description An address keeps the type it was made with */
            type?: string;
            /** @description As in the path; any other user is refused */
            userId?: number;
            zipcode?: string;
        };
        Announcement: {
            content: string;
            course_ids?: number[];
            expiry: string | null;
            heading: string;
            id: number;
            portal_ids?: number[];
            /** @enum {string} */
            sending_rules: "all" | "specific_users" | "specific_course_users";
            /** @description These three for staff alone */
            user_ids?: number[];
        };
        AnnouncementChanges: {
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            /** @description For specific_course_users; a PUT replaces them */
            course_ids?: number[];
            /**
             * Format: date-time
             * @description From then on learners no longer see it; a date alone is its first moment, UTC. null: it stays
             */
            expiry?: string | null;
            /** @description One line; the mail's subject */
            heading?: string;
            /** @description Only for those whom the rule selects and who belong to one of these portals; [] takes the bound away */
            portal_ids?: number[];
            /** @description One more of portal_ids */
            portalId?: number;
            /**
             * @description Everyone, the users of user_ids, or those who are registered in one of course_ids
             * @enum {string|null}
             */
            sending_rules?: "all" | "specific_users" | "specific_course_users" | null;
            /** @description For specific_users; a PUT replaces them */
            user_ids?: number[];
        };
        AnnouncementRow: {
            author: string;
            content: string;
            created_at: string;
            heading: string;
            id: number;
            /** @enum {string} */
            rules: "all" | "specific_users" | "specific_course_users";
            sent_to: string;
        };
        ApiKey: {
            /** @enum {string} */
            access: "read" | "write";
            created_at: string;
            /** @description Who made it; empty when they are gone */
            created_by: string;
            /** @description Until when it holds, or Never */
            expires_at: string;
            /** @description The families that it may call; null: all */
            families: string[] | null;
            id: number;
            /** @description The hour of its last use, or Never */
            last_used_at: string;
            name: string;
            role: string;
            /** @description What it is trusted with beyond its role and families */
            scopes: "credentials"[];
        };
        ApiKeyChanges: {
            /**
             * @description read: calls that change nothing; write: all that the role may
             * @enum {string}
             */
            access?: "read" | "write";
            /**
             * Format: date-time
             * @description null or Never: it holds until it is deleted
             */
            expires_at?: string | null;
            /** @description The families that it may call, as the tags of this document; null: all */
            families?: ("Sessions" | "API keys" | "Two-factor authentication" | "Single sign-on" | "Users" | "Custom fields" | "Addresses" | "Bulk upload" | "Consents" | "User sources" | "Groups" | "Portals" | "Locations" | "Categories" | "Courses" | "Modules" | "Assignment modules" | "Learning paths" | "Learning data" | "Classes" | "Webinars" | "Class reports" | "Reports" | "Exports" | "Certificate templates" | "Certificates" | "Badges" | "Announcements" | "Reviews" | "Memberships" | "Orders" | "Subscriptions" | "Carts" | "Cards" | "Webhooks" | "Audit log" | "Events" | "Operating" | "Credential provider")[] | null;
            name?: string;
            /** @enum {string} */
            role?: "general" | "group_admin" | "staff" | "admin" | "owner";
            /** @description What the key is trusted with beyond its role and families; nothing unless given. credentials: it sets passwords and email addresses and turns two-factor off, of learners, and with all families of everybody below its role */
            scopes?: "credentials"[];
        };
        ApiKeyRotation: {
            id: number;
        };
        AssignmentDetails: {
            allowedFileTypes: string[];
            /** @description Empty for a learner who cannot launch it */
            content: string;
            courseName: string;
            courseSlug: string;
            /** @enum {string} */
            display_status: "Not Started" | "In Progress" | "Submitted" | "Completed";
            launchCheck: {
                canbeLaunched: boolean;
                errDesc: string;
                /** @description Empty where it can be launched */
                errTitle: string;
            };
            /** @description MB a file */
            maxUploadSize: number;
            /** @description Seconds */
            min_time_spent: number;
            name: string;
            nextSlug: string | null;
            /** @description Every module of the registration, in order */
            otherModules: components["schemas"]["ModuleStatusRow"][];
            prevSlug: string | null;
            /** @description The newest first */
            prevSubmission: components["schemas"]["AssignmentSubmission"][];
            slug: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Submitted" | "Completed";
            /** @description -1 when no status exists: it cannot be launched yet */
            statusRowId: number;
            /** @enum {string} */
            submissionType: "text" | "file";
            /** @description Seconds */
            timeSpent: number;
            /** @description Seconds still to be spent before it can be submitted */
            timeToBeSpent: number;
            totalPoints: number;
        };
        AssignmentEvaluation: {
            evaluation: {
                instructorMessage?: string;
                isAccepted: boolean;
                /** @description Up to the assignment's totalPoints; none given: not graded */
                pointsAwarded?: number;
            };
            moduleId?: number;
            /** @description The learner must belong to it */
            portalId?: number;
            registrationId?: number;
            /** @description Where none exists yet (-1): registrationId and moduleId */
            statusRowId?: number;
        };
        AssignmentModule: {
            allowed_filetypes: string[];
            author: string;
            categoryIds: number[];
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            /** @description MB a file */
            maxUploadSize: number;
            name: string;
            showMappedCourses: boolean;
            slug: string;
            /** @enum {string} */
            submission_type: "text" | "file";
            totalPoints: number;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        AssignmentModuleChanges: {
            /** @description Required when submission_type is file: image, pdf, document, spreadsheet, presentation, text, audio, video, archive, or a file name's ending such as docx */
            allowed_filetypes?: string[];
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            /** @description MB a file; 0, or none given: 25 */
            maxUploadSize?: number;
            name?: string;
            /** @enum {string|null} */
            submission_type?: "text" | "file" | null;
            totalPoints?: number;
        };
        AssignmentModuleRow: {
            allowed_filetypes: string[];
            author: string;
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            /** @description The submission type, to be shown */
            display_type: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            maxUploadSize: number;
            name: string;
            showMappedCourses: boolean;
            slug: string;
            /** @enum {string} */
            submissionType: "text" | "file";
            totalPoints: number;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        AssignmentSubmission: {
            /** @description Of the registration's attempts at this assignment, from 1 */
            attempt: number;
            /** @description A name */
            evaluated_by: string | null;
            evaluated_on: string | null;
            /** @description As the files were called, in the order of file_path */
            file_names: string[];
            /** @description The files' storage_urls, in order; empty text where a text was submitted */
            file_path: string | string[];
            id: number;
            instructor_message: string;
            points_awarded: number | null;
            /**
             * @description Submitted: awaits its evaluation; Closed: a later attempt, a reset or a completion came before its evaluation
             * @enum {string}
             */
            status: "Submitted" | "Accepted" | "Returned" | "Closed";
            student_message: string;
            /** @description The text, as HTML; empty where files were submitted */
            submission: string;
            submitted_on: string;
        };
        AssignmentSubmissions: {
            assignmentName: string;
            content: string;
            courseId: number;
            courseName: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Submitted" | "Completed";
            /** @description The newest first */
            submissions: components["schemas"]["AssignmentSubmission"][];
            totalPoints: number;
            userEmail: string;
            userFullName: string;
        };
        AssignmentUpload: {
            /**
             * Format: binary
             * @description Up to 25 MB
             */
            file: Blob;
            moduleId?: number;
            registrationId?: number;
            /** @description Of the assignment, or registrationId and moduleId: its types and size are then checked here, and not only when it is submitted */
            statusRowId?: number;
        };
        AuditRecord: {
            /** @enum {string} */
            action: "login" | "created" | "updated" | "deleted";
            created_at: string;
            /** @description What it was set to, as far as that is no secret */
            details: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description The record's name at the time */
            effect_on: string;
            /** @description The name; Anonymous where nobody was signed in */
            performed_by: string;
            /** @description What kind of record it is */
            subject: string;
        };
        AuthorizationServerMetadata: {
            grant_types_supported: string[];
            issuer: string;
            response_types_supported: string[];
            scopes_supported: string[];
            service_documentation: string;
            token_endpoint: string;
            token_endpoint_auth_methods_supported: string[];
        };
        Badge: {
            badgeIconUrl: string;
            defaultIconUrl: string | null;
            id: number;
            organizationId: string | number | null;
            points: number;
            title: string;
        };
        BadgeAward: {
            id: number;
            user_ids: number[];
        };
        BadgeDeletion: {
            id: number[];
        };
        BadgeRow: {
            badgeIconUrl: string;
            id: number;
            points: number;
            title: string;
        };
        BlockedEmailsAndDomains: {
            allowed: string[];
            blocked: string[];
        };
        BlockedEmailsAndDomainsChanges: {
            allowed?: string[];
            blocked?: string[];
            portalId?: number;
        };
        BulkUpload: {
            /** @description Everyone is enrolled in these classes; one that has ended or is disabled: 409 */
            classIds?: number[];
            /** @description An extension: tells what the upload would do, and does nothing */
            dryRun?: boolean;
            /** @description Everyone joins this group */
            groupId?: number;
            /** @description New users are given this membership; admins and above only */
            membershipId?: number;
            /** @description Everyone is enrolled in these courses */
            selectedCourses?: number[];
            /** @description An extension: the source of the new users, of /api/user-source; Bulk upload unless given */
            user_source_id?: number;
            userList: ({
                /** Format: email */
                email: string;
                first_name: string;
                last_name?: string;
                /**
                 * Format: password
                 * @description Blank: a link to choose one is sent by mail
                 */
                password?: string;
            } & {
                [key: string]: components["schemas"]["CustomFieldValue"];
            })[];
        };
        BulkUploadAnswer: {
            created: number;
            /** @description true: nothing was changed */
            dryRun: boolean;
            /** @description One for each row that failed */
            errors: {
                email: string;
                reasons: string[];
                /** @description As in the sheet, whose header is row 1; of a userList from 1 */
                row: number;
            }[];
            /** @description Known email addresses: enrolled, else left as they are */
            existing: number;
            failed: number;
            message: string;
            /** @description Percent of the rows; never falls */
            progress: number;
            /** @description Ids of classIds that are no class's */
            skippedClasses: number;
            /** @description Ids of selectedCourses that are no course's */
            skippedCourses: number;
            /** @enum {string} */
            status: "processing" | "completed";
            /** @description Asks for the progress; null for a dry run */
            upload_id: number | null;
        };
        BulkUploadProgress: {
            created: number;
            /** @description One for each row that failed */
            errors: {
                email: string;
                reasons: string[];
                /** @description As in the sheet, whose header is row 1; of a userList from 1 */
                row: number;
            }[];
            /** @description Known email addresses: enrolled, else left as they are */
            existing: number;
            failed: number;
            message: string;
            /** @description Percent of the rows; never falls */
            progress: number;
            /** @description Ids of classIds that are no class's */
            skippedClasses: number;
            /** @description Ids of selectedCourses that are no course's */
            skippedCourses: number;
            /** @enum {string} */
            status: "processing" | "completed";
            upload_id: number;
        };
        BulkUploadSpreadsheet: {
            /** @description Everyone is enrolled in these classes; one that has ended or is disabled: 409 */
            classIds?: number[];
            /** @description An extension: tells what the upload would do, and does nothing */
            dryRun?: boolean;
            /**
             * Format: binary
             * @description xlsx or csv, up to 5 MB and 5,000 rows
             */
            file: Blob;
            /** @description Everyone joins this group */
            groupId?: number;
            /** @description New users are given this membership; admins and above only */
            membershipId?: number;
            /** @description Everyone is enrolled in these courses */
            selectedCourses?: number[];
            /** @description An extension: the source of the new users, of /api/user-source; Bulk upload unless given */
            user_source_id?: number;
        };
        Card: {
            card_type: string;
            created_at: string;
            id: number;
            last4: string;
            payment_gateway_name: string;
            userId: number;
        };
        CardChanges: {
            card_type?: string;
            last4?: string;
            payment_gateway_name?: string;
        };
        Cart: {
            created_at: string;
            currency: string;
            display_total: string;
            id: number;
            items: {
                id: number;
                name: string;
                /** @description Of one, in the currency's main unit */
                price: number;
                quantity: number;
                type: string;
            }[];
            /** @description Never: no reminder was sent */
            reminded_at: string;
            /** @description In the currency's main unit */
            total: number;
            userId: number;
            userName: string;
        };
        CartChanges: {
            /** @description An ISO 4217 code */
            currency?: string;
            items?: {
                id: number;
                name: string;
                /** @description In the currency's main unit */
                price: number;
                /** @default 1 */
                quantity?: number;
                type: string;
            }[] | null;
            /** @description In the currency's main unit */
            total?: number;
        };
        Category: {
            created_at: string;
            /** @description A user's id; null: an anonymous call */
            created_by: number | null;
            deleted_at: string | null;
            deleted_by: number | null;
            id: number;
            name: string;
            /** @enum {string} */
            type: "course" | "question" | "product" | "module" | "user";
            updated_at: string;
            updated_by: number | null;
        };
        /** @description category_name may be spelled name, as it is read */
        CategoryChanges: {
            category_name: string;
        };
        CategoryRow: {
            author: string;
            /** @description How many records are in it */
            count: number;
            created_at: string;
            id: number;
            name: string;
        };
        /** @description Ours: where the QR code of the certificate's public page stands, its margin included, in pixels. Left out: in the bottom right corner */
        CertificateCodePlace: {
            left: number;
            show: boolean;
            size: number;
            top: number;
        } | null;
        CertificateDates: {
            /**
             * Format: date-time
             * @description null: it does not expire; left out: as it is
             */
            newExpiryDate?: string | null;
            /** Format: date-time */
            newIssueDate: string;
            /** @description The certificate's */
            rowId: number;
        };
        CertificateDeletion: {
            /** @description The certificate's */
            id: number;
        };
        CertificateIssueDate: {
            /** Format: date-time */
            newIssueDate: string;
            /** @description The certificate's */
            rowId: number;
        };
        CertificateIssuing: {
            /** @description Registrations; those that are not Completed are skipped */
            registrationIds: number[];
        };
        CertificateTemplate: {
            bg_url: string;
            fields: {
                align_center: boolean;
                font_color: string;
                font_family: string;
                font_size: number;
                height: number;
                key: string;
                left: number;
                show_tools: boolean;
                top: number;
                value: string;
                width: number;
            }[];
            height: number;
            name: string;
            /** @description Ours: where the QR code stands, in pixels */
            qr_code: {
                left: number;
                show: boolean;
                size: number;
                top: number;
            };
            width: number;
        };
        CertificateTemplateChanges: {
            /** @description The storage_url of an uploaded PNG or JPEG, which fills the page, or that image's URL here. Images of other sites are not fetched: upload them */
            bg_url?: string;
            /** @description In the order in which they are drawn; a PUT replaces them */
            fields?: components["schemas"]["CertificateTemplateField"][] | null;
            /** @description Pixels, of which 96 make an inch; left as it is where none is given */
            height?: number;
            name?: string;
            qr_code?: components["schemas"]["CertificateCodePlace"];
            /** @description Pixels, of which 96 make an inch; left as it is where none is given */
            width?: number;
        };
        CertificateTemplateField: {
            /**
             * @description Centered in its box; else it begins where its script begins, Arabic and Hebrew at the right
             * @default false
             */
            align_center?: boolean;
            /** @default #000000 */
            font_color?: string;
            /**
             * @default Arial
             * @enum {string}
             */
            font_family?: "Arial" | "Courier" | "Times-Roman" | "Helvetica" | "Times-Bold" | "Courier-Bold" | "DejaVuSans-Bold" | "DejaVuSansMono-Bold";
            /**
             * @description Pixels, as a number or as digits
             * @default 16
             */
            font_size?: number;
            /**
             * @description The box that the text is made small enough for; 0: to the page's bottom edge
             * @default 0
             */
            height?: number;
            /** @description A key of /api/certificate_template/keysLookup */
            key: string;
            /**
             * @description Pixels from the page's left edge to the box's
             * @default 0
             */
            left?: number;
            /**
             * @description The editor's own; not printed
             * @default false
             */
            show_tools?: boolean;
            /**
             * @description Pixels from the page's top edge to the box's
             * @default 0
             */
            top?: number;
            /** @description What custom_text prints; of the others, what an editor shows */
            value?: string;
            /**
             * @description The box that the text is wrapped in; 0: to the page's right edge
             * @default 0
             */
            width?: number;
        };
        CertificateTemplateRow: {
            author: string;
            /** @description Names, separated by commas */
            courses: string;
            created_at: string;
            id: number;
            name: string;
        };
        CertificateTemplatesQuickEdit: {
            /** @description Their new author */
            author_id?: number;
            template_ids: number[];
        };
        Changed: components["schemas"]["Message"] & {
            /** @description Where a background job completes the change: its id, for `GET /api/job/{id}` */
            jobId?: string;
        };
        Class: {
            allowDownload: boolean;
            courseId: number;
            disabled: boolean;
            /** @description In timeZone, as the inputs read it */
            endTime: string;
            id: number;
            instructor: number;
            location: number | null;
            recurrence: {
                classDays: ("MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU")[];
                end: {
                    date: string;
                } | {
                    count: number;
                };
                endTime: string;
                /** @enum {string} */
                frequency: "daily" | "weekly" | "monthly";
                interval: number;
                startDate: string;
                startTime: string;
            } | null;
            /** @description In timeZone, as the inputs read it */
            startTime: string;
            studyMaterial: {
                media_id: number;
                name: string;
                type: string;
            }[];
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
            /** @enum {string} */
            type: "onetime" | "recurring";
            webinar_host_pwd: string;
            webinar_meeting_id: string;
            webinarProvider: string;
        };
        ClassCertificates: {
            /** @description Enrollments of the class */
            enrollmentIds: number[];
        };
        /** @description Fields that are left out stay */
        ClassChanges: {
            allowDownload?: boolean;
            /** @description As id: class/edit and others call it so */
            classId?: number;
            courseId?: number;
            disabled?: boolean;
            /** Format: date-time */
            endTime?: string;
            /** @description Which class; classId says it too */
            id?: number;
            instructor?: number;
            /** @description null: held nowhere */
            location?: number | null;
            recurrence?: components["schemas"]["Recurrence"];
            /** Format: date-time */
            startTime?: string;
            /** @description Replaces what there is; [] empties it */
            studyMaterial?: {
                media_id: number;
                name?: string;
                /** @description Told by the file itself; what is given is ignored */
                type?: string;
            }[] | null;
            /** @description An IANA time zone: in it the class recurs, and its times are read and shown */
            timeZone?: string;
            /**
             * @description onetime: a recurring class is held once from now on, its first session unless times are given
             * @enum {string}
             */
            type?: "onetime" | "recurring";
            webinar_host_pwd?: string;
            webinar_meeting_id?: string;
            webinarProvider?: string;
        };
        ClassDetailedRow: {
            avatar: string;
            certificate_issued: boolean;
            completed_on: string;
            /** @enum {string} */
            display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
            email: string;
            first_name: string;
            /** @description The class enrollment's */
            id: number;
            /** @description A date, or Never */
            last_accessed_on: string;
            last_name: string;
            /** @description What was noted of the user's part in the webinar */
            notes: string;
            registered_on: string;
            started_on: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
            user_id: number;
        };
        ClassEnrollment: {
            /** @description Only members of this group are enrolled */
            groupId?: number;
            studentIds: number[];
        };
        ClassRecording: {
            /** @description Seconds; 0: not said */
            duration: number;
            id: number;
            name: string;
            recorded_on: string;
            url: string;
        };
        ClassRemoval: {
            enrollmentIds: number[];
            /** @description Only enrollments of this group's members */
            groupID?: number;
        };
        ClassRow: {
            course_name: string;
            /** @description URL of the course to edit */
            courseEdit: string;
            disabled: boolean;
            end_time: string;
            id: number;
            instructor: string;
            /** @description Whether the caller may change the class */
            isAbleToEdit: boolean;
            location: string;
            start_time: string;
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
        };
        ClassSchedule: {
            course_id: number;
            course_name: string;
            /** Format: date-time */
            end_time: string;
            endDate: string;
            endTime: string;
            /** @description The class's: a recurring one has a row per session */
            id: number;
            instructor: string;
            instructor_id: number;
            location: string;
            location_id: number | null;
            /** Format: date-time */
            start_time: string;
            startDate: string;
            startTime: string;
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
        };
        ClassStudent: {
            avatar: string;
            /** @enum {string} */
            display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
            email: string;
            first_name: string;
            /** @description The class enrollment's */
            id: number;
            /** @description A date and a time, or Never */
            last_accessed_on: string;
            last_name: string;
            registered_on: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            user_id: number;
        };
        ConsentChanges: {
            /** Format: date-time */
            consentDate?: string;
            /** @description What was put before the user: the consent text's own id */
            consentId?: string;
            country?: string;
            ipAddress?: string;
            /** @enum {string|null} */
            status?: "accepted" | "rejected" | null;
        };
        Course: {
            author: string;
            authorId: number | null;
            /** @description Names, separated by commas */
            categories: string;
            categoryIds: number[];
            certificateTemplateId: number | null;
            content: string;
            courseCredit: number;
            created_at: string;
            enableCourseRating: boolean;
            /** @description The key, for staff and above; null for others */
            enrollmentKey: string | null;
            /** @description Whoever enrolls themselves must know a key */
            enrollmentKeyRequired: boolean;
            estimatedMinutes: number;
            expiresAfterDays: number;
            featuredImageUrl: string | null;
            id: number;
            instructions: string;
            modules: {
                dripDays: number;
                isLocked: boolean;
                minTimeSpent: number;
                module_id: number;
                name: string;
                required: boolean;
                slug: string;
                /** @enum {string} */
                type: "text" | "video" | "quiz" | "scorm" | "assignment";
            }[];
            name: string;
            /** @description The mean of the ratings given; 0 without any */
            rating: number;
            /** @description Learners may enroll themselves */
            selfEnroll: boolean;
            slug: string;
            /** @enum {string} */
            status: "draft" | "publish";
            totalSeats: number;
            /** @description Enrollments */
            usedSeats: number;
        };
        CourseChanges: {
            /** @description The caller unless given */
            authorId?: number;
            /** @description Course categories */
            categoryIds?: number[];
            certificateTemplateId?: number;
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            /** @description What its certificates say it is worth; 0: nothing */
            courseCredit?: number;
            enableCourseRating?: boolean;
            /** @description What those who enroll themselves must know, whatever selfEnroll says; none: nothing */
            enrollmentKey?: string;
            estimatedMinutes?: number;
            /** @description From the registration; 0: it does not expire */
            expiresAfterDays?: number;
            featuredImageUrl?: string;
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            instructions?: string;
            /** @description In order; a PUT replaces them */
            modules?: {
                /**
                 * @description Opens so many days after the registration
                 * @default 0
                 */
                dripDays?: number;
                /**
                 * @description Opens once every required module before it is Completed
                 * @default false
                 */
                isLocked?: boolean;
                /**
                 * @description Seconds in it before it can be Completed
                 * @default 0
                 */
                minTimeSpent?: number;
                module_id: number;
                /**
                 * @description Must be Completed for the course to be
                 * @default true
                 */
                required?: boolean;
            }[] | null;
            name?: string;
            /** @description Learners may enroll themselves; false unless given */
            selfEnroll?: boolean;
            /** @description Unique; made from the name where none is given */
            slug?: string;
            /**
             * @description draft unless given
             * @enum {string|null}
             */
            status?: "draft" | "publish" | null;
            /** @description 0: any number */
            totalSeats?: number;
        };
        CourseClass: {
            /** @description How many are enrolled and have not cancelled */
            classSize: number;
            endDate: string;
            endTime: string;
            id: number;
            instructor: string;
            location: string;
            startDate: string;
            startTime: string;
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
        };
        CourseDays: {
            /** @description Registrations completed, for each of days */
            completed: number[];
            /** @description null: all courses */
            courseId: number | null;
            /** @description Every day of the period, in UTC; none where none is asked for and nothing ever happened */
            days: string[];
            /** @description Registrations made, for each of days */
            enrolled: number[];
            /**
             * Format: date
             * @description The first day on which anything ever happened; null: none
             */
            firstDay: string | null;
            /**
             * Format: date
             * @description The last one; null: none
             */
            lastDay: string | null;
            /** @description Registrations begun, for each of days */
            started: number[];
            sumCompleted: number;
            /** @description Of these days */
            sumEnrolled: number;
            sumStarted: number;
        };
        CourseDetailedRow: {
            /** @enum {string} */
            access_status: "Allowed" | "Expired";
            avatar: string;
            /** @description Spelled as the interface has it */
            certifcate_issued: boolean;
            /** @description A date, or Never */
            completed_on: string;
            email: string;
            /** @description A date, or Never */
            expire_on: string;
            first_name: string;
            id: number;
            /** @description A date, or Never */
            last_accessed_on: string;
            last_name: string;
            /** @description Of the points of what was graded; null where nothing was */
            percent_achieved: number | null;
            percent_complete: number;
            /** @description A date, or Never */
            registered_on: string;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            total_time_spent: {
                hours: number;
                minutes: number;
                seconds: number;
                totalSeconds: number;
            };
            user_id: number;
        };
        CourseLocation: {
            classId: number;
            courseId: number;
            id: number;
            name: string;
        };
        CourseModulesReport: {
            courseId: number;
            courseName: string;
            /** @description How many are registered in the course */
            learners: number;
            /** @description In the course's order */
            modules: {
                completed: number;
                inProgress: number;
                moduleId: number;
                name: string;
                /** @description The learners who are in none of the other states */
                notStarted: number;
                required: boolean;
                /** @description They await the evaluation of an assignment */
                submitted: number;
                /** @enum {string} */
                type: "text" | "video" | "quiz" | "scorm" | "assignment";
            }[];
        };
        CourseRow: {
            author: string;
            /** @description Names, separated by commas */
            categories: string;
            created_at: string;
            id: number;
            name: string;
            slug: string;
            /** @enum {string} */
            status: "draft" | "publish";
        };
        CourseSubmission: {
            attempt: number;
            avatar: string;
            email: string;
            first_name: string;
            last_name: string;
            module_id: number;
            module_name: string;
            /** @enum {string} */
            module_type: "text" | "video" | "quiz" | "scorm" | "assignment";
            /**
             * @description Submitted: awaits its evaluation
             * @enum {string}
             */
            status: "Submitted" | "Accepted" | "Returned" | "Closed";
            status_row_id: number;
            submission_id: number;
            submitted_on: string;
        };
        Created: {
            id: number;
            message: string;
        };
        CreatedWebhook: components["schemas"]["Created"] & {
            /** @description Verifies what is sent. It is told once */
            secret: string;
        };
        CreatedWithJob: components["schemas"]["Created"] & {
            /** @description Where a background job completes the change: its id, for `GET /api/job/{id}` */
            jobId?: string;
        };
        CredentialGroup: {
            id: number;
            name: string;
        };
        CustomFieldValue: string | number | boolean | string[] | {
            submitted_value: string;
        };
        CustomUserField: {
            defaultValue: string | null;
            display_order: number;
            displayType: string;
            /** @description The definition needs mending: a choice without options, or a default that the field would refuse */
            error: boolean;
            id: number;
            includeInReportExports: ("export-users" | "course-insight" | "export-orders")[];
            isFieldOnCertificate: boolean;
            isFieldOnRegistrationPage: boolean;
            isRequired: boolean;
            label: string;
            optionLabel: string[];
            /** @enum {string} */
            type: "text" | "textarea" | "date" | "radio" | "checkbox" | "dropdown";
            userMetaKey: string;
        };
        Deletion: {
            delete_ids: number[];
        };
        Device: {
            created_at: string;
            /** @description The call was made by it */
            current: boolean;
            device: string;
            /** @description Until then it can be refreshed */
            expires_at: string;
            id: number;
            /** @description The hour in which it last called, or created_at within its first */
            last_used_at: string;
        };
        Diagnostics: {
            /** @description Static files are there */
            assets: boolean;
            /** @description Those that are not done */
            backfills: string[];
            /** @description A backup notes changes, or has left its notes */
            backupNotes: boolean;
            /** @description Which bindings there are */
            bindings: {
                [key: string]: boolean;
            };
            cron: {
                /** @description How many of its sweeps failed */
                failed: number;
                /** @description When the last run ended; null: never, milliseconds since 1970 */
                ranAt: number | null;
            };
            database: {
                /** @description The size */
                bytes: number;
                primaryRegion: string | null;
                /**
                 * @description Which instance answered a read from here
                 * @enum {string}
                 */
                readBy: "primary" | "replica";
                readRegion: string | null;
                /** @description The last migration that was applied */
                schema: string;
                /** @description The last migration that the code knows */
                wanted: string;
            };
            /** @description The bucket answers */
            files: boolean;
            /** @description The service's clock, milliseconds since 1970 */
            now: number;
            /** @description What waits in each queue, by its binding; null: not told */
            queues: {
                [key: string]: {
                    messages: number | null;
                    /** @description When the oldest was sent; null: not told, milliseconds since 1970 */
                    oldestAt: number | null;
                };
            };
            /** @description How many characters each secret has; 0: it is not set */
            secrets: {
                [key: string]: number;
            };
            /** @description The version */
            service: string;
            /** @description Variables by name; those that are not set are empty */
            settings: {
                [key: string]: string;
            };
        };
        EnrolledCourse: {
            /** @enum {string} */
            accessStatus: "Allowed" | "Expired";
            /** @description Completed, and expired since, in a course with a term */
            canRecertify: boolean;
            certificate_count: number;
            /** @description A date, or Never */
            completed_on: string;
            courseId: number;
            courseName: string;
            /** @description The course's URL */
            courseSlug: string;
            /** @enum {string} */
            courseStatus: "draft" | "publish";
            /** @enum {string} */
            display_status: "Not Started" | "In Progress" | "Completed";
            enableCourseRating: boolean;
            estimatedCompletionTime: string;
            /** @description A date, or Never */
            expire_on: string;
            featuredImageUrl: string | null;
            id: number;
            isExpired: boolean;
            lastAccessed: string;
            percentComplete: number;
            /** @description The mean of the course's ratings; 0 without any */
            rating: number;
            /** @description A date, or Never */
            registered_on: string;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
        };
        EnrolledLearningPath: {
            certificateCount: number;
            /** @description A date, or Never */
            completed_on: string;
            completedLpCourses: number;
            display_status: string;
            featuredImageUrl: string | null;
            id: number;
            /** @description The path's URL */
            launchSlug: string;
            learningPathName: string;
            percentComplete: number;
            /** @description The mean of its courses' ratings; 0 without any */
            rating: number;
            /** @description A date, or Never */
            registered_on: string;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            /** @description Of its courses together */
            totalEstimatedTime: string;
            totalLPCourses: number;
        };
        EnrolledStudent: {
            /** @enum {string} */
            access_status: "Allowed" | "Expired";
            avatar: string;
            /** @description A date, or Never */
            completed_on: string;
            email: string;
            /** @description A date, or Never */
            expire_on: string;
            first_name: string;
            id: number;
            /** @description A date, or Never */
            last_accessed_on: string;
            last_name: string;
            percentComplete: number;
            /** @description A date, or Never */
            registered_on: string;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            user_id: number;
        };
        Enrollment: {
            /**
             * Format: date-time
             * @description Staff alone: makes it Completed, at 100 percent
             */
            completed_on?: string;
            course_ids: number[];
            /**
             * Format: date-time
             * @description Instead of the course's own expiry
             */
            expire_on?: string;
            /** @description Takes the group's seats, for its members; a group administrator must give it */
            group_id?: number;
            /**
             * Format: date-time
             * @description Staff alone: of records from another system
             */
            registered_on?: string;
            /**
             * Format: date-time
             * @description Staff alone: makes it In Progress
             */
            started_on?: string;
            user_ids: number[];
        };
        EnrollmentRecord: {
            /**
             * Format: date-time
             * @description Makes it Completed, at 100 percent
             */
            completed_on?: string;
            course_id: number;
            /**
             * Format: date-time
             * @description Instead of the course's own expiry
             */
            expire_on?: string;
            /**
             * Format: date-time
             * @description The first of its other dates, else now, unless given
             */
            registered_on?: string;
            /**
             * Format: date-time
             * @description Makes it In Progress
             */
            started_on?: string;
            user_id: number;
        };
        EnrollmentRecords: {
            registrations: components["schemas"]["EnrollmentRecord"][];
        };
        ErasureBegun: {
            message: string;
            /** @enum {string} */
            status: "success";
            user_id: number;
        };
        ErasureProgress: {
            /** Format: date-time */
            completed_at: string | null;
            message: string;
            /** @description Percent; never falls */
            progress: number;
            /** @enum {string} */
            reason: "requested" | "consent_withdrawn" | "objection" | "no_longer_needed" | "unlawful" | "legal_obligation";
            /** Format: date-time */
            requested_at: string;
            /** @enum {string} */
            status: "processing" | "completed";
            user_id: number;
        };
        Error: {
            /**
             * @description Identifies the error for a program; /docs/guides/errors lists the codes
             * @enum {string}
             */
            code: "malformed_body" | "card_in_use" | "card_not_deleted" | "invalid_credentials" | "two_factor_required" | "invalid_code" | "password_change_required" | "invalid_token" | "invalid_key" | "session_ended" | "insufficient_role" | "sso_required" | "self_only" | "not_self" | "user_session_required" | "key_read_only" | "key_scope_insufficient" | "credentials_scope_required" | "current_password_required" | "view_only" | "cross_origin_forbidden" | "origin_not_allowed" | "prefetch_not_allowed" | "not_found" | "unknown_path" | "method_not_allowed" | "conflict" | "no_seats_left" | "seats_in_use" | "too_early" | "registration_expired" | "locked" | "no_attempts_left" | "already_submitted" | "already_completed" | "not_submitted" | "wrong_completion_method" | "module_removed" | "package_required" | "content_origin_required" | "not_expired" | "no_recertification_term" | "class_ended" | "class_disabled" | "enrollment_cancelled" | "too_many_webhooks" | "too_many_files" | "webhook_disabled" | "portal_expired" | "portal_inactive" | "user_disabled" | "user_erased" | "last_owner" | "own_account" | "two_factor_enabled" | "two_factor_not_prepared" | "two_factor_unreadable" | "login_method_required" | "membership_not_held" | "export_not_ready" | "export_failed" | "export_not_running" | "link_expired" | "export_cancelled" | "export_expired" | "cursor_expired" | "file_gone" | "precondition_failed" | "too_large" | "unsupported_type" | "range_not_satisfiable" | "validation_failed" | "rate_limited" | "too_many_attempts" | "too_many_exports" | "internal_error" | "provider_failed" | "unavailable" | "outcome_unknown";
            /** @description Messages by field */
            errors?: {
                [key: string]: string[];
            };
            /** @description What to change, for the person who makes the call */
            message: string;
            /** @enum {string} */
            status: "error";
        };
        Event: components["schemas"]["EventWebhookTest"] | components["schemas"]["EventUserCreated"] | components["schemas"]["EventUserErased"] | components["schemas"]["EventEnrollmentCreated"] | components["schemas"]["EventEnrollmentCompleted"] | components["schemas"]["EventQuizSubmitted"] | components["schemas"]["EventAssignmentSubmitted"] | components["schemas"]["EventAssignmentEvaluated"] | components["schemas"]["EventAssignmentRejected"] | components["schemas"]["EventOrderCreated"] | components["schemas"]["EventOrderPending"] | components["schemas"]["EventOrderFailed"] | components["schemas"]["EventOrderRefused"] | components["schemas"]["EventAnnouncementCreated"] | components["schemas"]["EventCertificateIssued"] | components["schemas"]["EventClassEnrolled"] | components["schemas"]["EventExportCompleted"];
        /** @description An announcement was created */
        EventAnnouncementCreated: {
            data: {
                announcement: {
                    heading: string;
                    id: number;
                };
                author: components["schemas"]["EventUser"] | null;
                /** Format: date-time */
                expiresAt: string | null;
                /** @description all, specific_users or specific_course_users */
                sendingRules: string;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "announcement.created";
        };
        /** @description A submission was accepted */
        EventAssignmentEvaluated: {
            data: {
                assignment: {
                    id: number;
                    name: string;
                };
                course: components["schemas"]["EventCourse"];
                /** Format: date-time */
                evaluatedAt: string | null;
                /** @description Of the registration's attempts, from 1 */
                number: number;
                pointsAwarded: number | null;
                registrationId: number;
                submissionId: number;
                /** Format: date-time */
                submittedAt: string;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assignment.evaluated";
        };
        /** @description A submission was returned */
        EventAssignmentRejected: {
            data: {
                assignment: {
                    id: number;
                    name: string;
                };
                course: components["schemas"]["EventCourse"];
                /** Format: date-time */
                evaluatedAt: string | null;
                /** @description Of the registration's attempts, from 1 */
                number: number;
                pointsAwarded: number | null;
                registrationId: number;
                submissionId: number;
                /** Format: date-time */
                submittedAt: string;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assignment.rejected";
        };
        /** @description An assignment was submitted */
        EventAssignmentSubmitted: {
            data: {
                assignment: {
                    id: number;
                    name: string;
                };
                course: components["schemas"]["EventCourse"];
                /** @description Of the registration's attempts, from 1 */
                number: number;
                registrationId: number;
                submissionId: number;
                /** Format: date-time */
                submittedAt: string;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assignment.submitted";
        };
        /** @description A user earned a certificate */
        EventCertificateIssued: {
            data: {
                certificate: {
                    code: string;
                    id: number;
                };
                classRegistrationId: number | null;
                course: {
                    id: number | null;
                    name: string;
                };
                /** Format: date-time */
                expiresAt: string | null;
                /** Format: date-time */
                issuedAt: string;
                registrationId: number | null;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "certificate.issued";
        };
        /** @description A user was enrolled in a class */
        EventClassEnrolled: {
            data: {
                class: {
                    /** Format: date-time */
                    endAt: string;
                    id: number;
                    /** Format: date-time */
                    startAt: string;
                };
                course: components["schemas"]["EventCourse"];
                /** Format: date-time */
                registeredAt: string;
                registrationId: number;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "class.enrolled";
        };
        EventCourse: {
            id: number;
            name: string;
        };
        /** @description A user completed a course */
        EventEnrollmentCompleted: {
            data: {
                /** Format: date-time */
                completedAt: string | null;
                course: components["schemas"]["EventCourse"];
                registrationId: number;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enrollment.completed";
        };
        /** @description A user was enrolled in a course */
        EventEnrollmentCreated: {
            data: {
                course: components["schemas"]["EventCourse"];
                /** @description The id of the user who did it */
                enrolledBy: number | null;
                /** @description The group whose seat it takes */
                groupId: number | null;
                /** Format: date-time */
                registeredAt: string;
                registrationId: number;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enrollment.created";
        };
        /** @description An export's file can be downloaded */
        EventExportCompleted: {
            data: {
                /** Format: date-time */
                expiresAt: string;
                /** Format: uuid */
                exportId: string;
                filename: string;
                kind: string;
                user: components["schemas"]["EventUser"] | null;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "export.completed";
        };
        /** @description An order was created */
        EventOrderCreated: {
            data: {
                currency: string;
                items: {
                    id: number;
                    name: string;
                    quantity: number;
                    type: string;
                }[];
                orderId: number;
                /** @enum {string} */
                status: "pending" | "completed" | "refunded" | "failed";
                /** @description In the currency's main unit */
                total: number;
                user: components["schemas"]["EventUser"] | null;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.created";
        };
        /** @description An order's payment failed */
        EventOrderFailed: {
            data: {
                currency: string;
                items: {
                    id: number;
                    name: string;
                    quantity: number;
                    type: string;
                }[];
                orderId: number;
                /** @enum {string} */
                status: "pending" | "completed" | "refunded" | "failed";
                /** @description In the currency's main unit */
                total: number;
                user: components["schemas"]["EventUser"] | null;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.failed";
        };
        /** @description An order awaits its payment */
        EventOrderPending: {
            data: {
                currency: string;
                items: {
                    id: number;
                    name: string;
                    quantity: number;
                    type: string;
                }[];
                orderId: number;
                /** @enum {string} */
                status: "pending" | "completed" | "refunded" | "failed";
                /** @description In the currency's main unit */
                total: number;
                user: components["schemas"]["EventUser"] | null;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.pending";
        };
        /** @description An order was refunded */
        EventOrderRefused: {
            data: {
                currency: string;
                items: {
                    id: number;
                    name: string;
                    quantity: number;
                    type: string;
                }[];
                orderId: number;
                /** @enum {string} */
                status: "pending" | "completed" | "refunded" | "failed";
                /** @description In the currency's main unit */
                total: number;
                user: components["schemas"]["EventUser"] | null;
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.refused";
        };
        /** @description An attempt at a quiz was submitted */
        EventQuizSubmitted: {
            data: {
                attemptId: number;
                course: components["schemas"]["EventCourse"];
                /** @description Of the registration's attempts, from 1 */
                number: number;
                outOf: number;
                percent: number;
                quiz: {
                    id: number;
                    name: string;
                };
                registrationId: number;
                /** @enum {string} */
                result: "" | "passed" | "failed";
                score: number;
                /** Format: date-time */
                submittedAt: string | null;
                user: components["schemas"]["EventUser"];
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "quiz.submitted";
        };
        EventUser: {
            email: string;
            id: number;
            name: string;
        };
        /** @description An account was created */
        EventUserCreated: {
            data: {
                user: components["schemas"]["EventUser"] & {
                    firstName: string;
                    lastName: string;
                    userType: string;
                };
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user.created";
        };
        /** @description A user was erased: receivers delete what they keep of the user */
        EventUserErased: {
            data: {
                user: {
                    id: number;
                };
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user.erased";
        };
        /** @description Somebody tested a webhook */
        EventWebhookTest: {
            data: {
                webhook: {
                    id: number;
                    /** @description The origin of its address: the rest may be the receiver's secret */
                    url: string;
                };
            };
            /** @description The same in the feed and at every webhook */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made: never before the previous event
             */
            occurredAt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
        };
        ExportCancelled: {
            message: string;
            /** @enum {string} */
            status: "success";
        };
        ExportInitiated: {
            /** Format: uuid */
            export_id: string;
            message: string;
            /** @enum {string} */
            status: "success";
        };
        ExportProgress: {
            /** @description A path of this service, once completed */
            download_url: string | null;
            /** @description Once completed */
            filename: string | null;
            message: string;
            /** @description Percent; never falls */
            progress: number;
            /** @enum {string} */
            status: "processing" | "completed" | "cancelled" | "failed";
        };
        GamificationEvent: {
            active: boolean;
            badgeId: number | null;
            created_at: string;
            id: number;
            name: string;
            points: number;
            targetId: number | null;
            /** @enum {string} */
            type: "course_completed" | "learning_path_completed" | "quiz_passed" | "assignment_accepted" | "class_attended" | "login";
        };
        GamificationEventChanges: {
            /** @description true unless given; false: it gives nothing */
            active?: boolean;
            /** @description The badge that it gives, with its points */
            badgeId?: number | null;
            name?: string;
            /** @description What it gives beside the badge's; 0 unless given */
            points?: number;
            /** @description The course, learning path, module or class that it is about; null or 0: any. A login has none */
            targetId?: number | null;
            /** @enum {string|null} */
            type?: "course_completed" | "learning_path_completed" | "quiz_passed" | "assignment_accepted" | "class_attended" | "login" | null;
        };
        Group: {
            admin_ids: number[];
            course_seats: {
                course_id: number;
                total_seats: number;
                used_seats: number;
            }[];
            created_at: string;
            id: number;
            name: string;
            /** @description Its members; users/tabularlist with group_id lists them */
            user_count: number;
        };
        GroupChanges: {
            /** @description Members who come in; the others stay */
            add_user_ids?: number[];
            /** @description All who administer it */
            admin_ids?: number[];
            course_seats?: {
                course_id: number;
                total_seats: number;
            }[] | null;
            name?: string;
            /** @description Members who go; the others stay */
            remove_user_ids?: number[];
            /** @description All its members */
            user_ids?: number[];
        };
        JobState: {
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** @description What the job does, such as `course.recount` */
            kind: string;
            message: string;
            /** @description Percent of the rows; never falls */
            progress: number;
            /** @enum {string} */
            status: "processing" | "completed";
        };
        /** @description Any JSON value */
        Json: unknown;
        Leaderboard: {
            rankedUsers: {
                /** @description Badges earned, each time counted */
                badgeCount: number;
                firstName: string;
                id: number;
                lastName: string;
                points: number;
                rank: number;
            }[];
            userRank: number;
            /** @enum {string} */
            userTier: "Platinum" | "Gold" | "Silver" | "Bronze" | "Newcomer";
        };
        LearnerQuiz: {
            /** @description From 1; 0: not tried */
            attempt: number;
            /** @description null: not tried */
            attemptId: number | null;
            /** @description A date, or Never */
            completed_on: string;
            courseId: number;
            courseName: string;
            email: string;
            moduleId: number;
            name: string;
            outOf: number;
            percent: number | null;
            quizName: string;
            /** @enum {string|null} */
            result: "passed" | "failed" | null;
            /** @description null until Completed */
            score: number | null;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            /** @description -1 when no status exists */
            status_row_id: number;
            time_taken: {
                hours: number;
                minutes: number;
                seconds: number;
                totalSeconds: number;
            };
            user_id: number;
        };
        LearningPath: {
            /** @description In order */
            course_ids: number[];
            courses: {
                id: number;
                name: string;
            }[];
            created_at: string;
            /** @description Of its courses together */
            estimatedMinutes: number;
            featuredImageUrl: string | null;
            id: number;
            name: string;
            /** @description The mean of its courses' ratings; 0 without any */
            rating: number;
            slug: string;
            totalLPCourses: number;
            /** @enum {string} */
            type: "public" | "private";
        };
        LearningPathChanges: {
            /** @description In order; 1 to 200 */
            course_ids?: number[];
            featuredImageUrl?: string;
            name?: string;
            /**
             * @description public unless given; private: for those enrolled alone
             * @enum {string|null}
             */
            type?: "public" | "private" | null;
        };
        LearningPathEnrollment: {
            learning_path_ids: number[];
            user_ids: number[];
        };
        LearningPathRow: {
            created_at: string;
            /** @description Of its courses together */
            estimatedMinutes: number;
            featuredImageUrl: string | null;
            id: number;
            name: string;
            /** @description The mean of its courses' ratings; 0 without any */
            rating: number;
            slug: string;
            totalLPCourses: number;
            /** @enum {string} */
            type: "public" | "private";
        };
        LibraryCourse: {
            author: string;
            /** @description Names, separated by commas */
            categories: string;
            courseName: string;
            /** @description The course's URL */
            courseSlug: string;
            created_at: string;
            enableCourseRating: boolean;
            /** @description Whoever enrolls themselves must know a key */
            enrollmentKeyRequired: boolean;
            estimatedCompletionTime: string;
            featuredImageUrl: string | null;
            id: number;
            isEnrolled: boolean;
            percentComplete: number;
            /** @description The mean of the ratings given; 0 without any */
            rating: number;
            /** @description The caller's registration */
            registrationId: number | null;
            /** @description The caller may enroll themselves */
            selfEnroll: boolean;
            /**
             * @description Of the registration; null without one
             * @enum {string|null}
             */
            status: "Not Started" | "In Progress" | "Completed" | null;
            totalModules: number;
        };
        LibraryLearningPath: {
            certificateCount: number;
            completedLpCourses: number;
            /** @description The caller's; Not Started where they are not enrolled */
            display_status: string;
            featuredImageUrl: string | null;
            /** @description The path's id, as learningPathId */
            id: number;
            isEnrolled: boolean;
            /** @description The path's URL */
            launchSlug: string;
            learningPathId: number;
            learningPathName: string;
            percentComplete: number;
            /** @description The mean of the ratings given; 0 without any */
            rating: number;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            totalEstimatedTime: string;
            totalLPCourses: number;
            /** @enum {string} */
            type: "public" | "private";
        };
        Liveness: {
            /** @enum {string} */
            status: "alive";
        };
        Location: {
            addressLine1: string;
            addressLine2: string;
            capacity: number | null;
            city: string;
            country: string;
            created_at: string;
            id: number;
            name: string;
            state: string;
            zipcode: string;
        };
        LocationChanges: {
            addressLine1?: string;
            addressLine2?: string;
            /** @description How many people fit in; null or 0: not said */
            capacity?: number | null;
            city?: string;
            country?: string;
            name?: string;
            state?: string;
            zipcode?: string;
        };
        MailStatus: {
            /** @description Why the provider takes no mail for now; nothing is lost meanwhile. null: it does */
            paused: {
                /** @description The provider's code for it */
                error: string;
                /** @enum {string} */
                reason: "rate" | "quota" | "configuration";
                /** Format: date-time */
                since: string;
                /**
                 * Format: date-time
                 * @description When the next mail is tried
                 */
                until: string;
            } | null;
            /** @description MAIL_PROVIDER */
            provider: string;
        };
        Me: {
            /** @description The academy's name, as its pages and mails have it */
            academy: string;
            /** @description null: a key has none */
            email: string | null;
            /**
             * Format: date-time
             * @description When the token or the key ends; null: never
             */
            expiresAt: string | null;
            /** @description The user's id, or the API key's */
            id: number;
            /** @enum {string} */
            kind: "user" | "key";
            name: string;
            role: string;
            scope: {
                /** @enum {string} */
                access: "read" | "write";
                /** @description The families of operations that may be called; null: all */
                families: string[] | null;
                /** @description The groups that it administers */
                groups: {
                    id: number;
                    name: string;
                }[];
                /** @description The portals that it administers */
                portals: {
                    id: number;
                    name: string;
                }[];
                /** @description What an API key is trusted with beyond its role and families; none for a user */
                scopes: "credentials"[];
                /**
                 * @description Whose records: everyone's, those of the groups' and portals' members, its own, nobody's
                 * @enum {string}
                 */
                sees: "everyone" | "members" | "itself" | "nobody";
            };
        };
        Membership: {
            course_ids: number[];
            created_at: string;
            expiresAfterDays: number | null;
            id: number;
            name: string;
        };
        MembershipChanges: {
            /** @description The courses that it gives; a PUT replaces them */
            course_ids?: number[];
            /** @description Days from the start; null or 0: it does not expire */
            expiresAfterDays?: number | null;
            name?: string;
        };
        MembershipContent: {
            created_at: string;
            /** @description Sanitized HTML */
            description: string;
            featuredImageUrl: string | null;
            id: number;
            name: string;
            slug: string;
            /** @description course, or the module's type */
            type: string;
        };
        MembershipRow: {
            created_at: string;
            expiresAfterDays: number | null;
            id: number;
            name: string;
        };
        MembershipUpdate: {
            /**
             * Format: date-time
             * @description In the past: revoked. Left out: the membership's own expiry, counted from now
             */
            expired_at?: string;
            /**
             * Format: date-time
             * @description In place of expired_at, as the user's detail answers it; null: without an end
             */
            expiryDate?: string | null;
            /** @description The membership; the user's own when left out */
            id?: number;
            /** @description The older form, or the user's membership as read. Its name is not read */
            membership?: {
                /**
                 * Format: date-time
                 * @description In the past: revoked. Left out: the membership's own expiry, counted from now
                 */
                expired_at?: string;
                /**
                 * Format: date-time
                 * @description In place of expired_at, as the user's detail answers it; null: without an end
                 */
                expiryDate?: string | null;
                /** @description The membership; the user's own when left out */
                id?: number;
                name?: string;
            } | null;
        };
        Message: {
            message: string;
        };
        MintedApiKey: {
            id: number;
            /** @description Told this once, and kept nowhere */
            key: string;
            message: string;
        };
        ModuleRow: {
            author: string;
            course_count: number;
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            name: string;
            slug: string;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        ModuleStatusRow: {
            /**
             * Format: date-time
             * @description ISO 8601; null: not yet
             */
            completed_on: string | null;
            completion_percentage: number;
            drip_message: string;
            icon: string;
            /** @description The one to go on with: the first that is open and neither Submitted nor Completed */
            is_current: boolean;
            /** @description Opens on a later day */
            is_dripped: boolean;
            is_locked: boolean;
            /**
             * Format: date-time
             * @description ISO 8601; null: not yet
             */
            last_accessed_on: string | null;
            /** @description What to do first; empty when not locked */
            lock_reason: string;
            module_id: number;
            name: string;
            no_of_times_accessed: number;
            points_awarded: number | null;
            slug: string;
            /**
             * Format: date-time
             * @description ISO 8601; null: not yet
             */
            started_on: string | null;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Submitted" | "Completed";
            /** @description -1 when no status exists */
            status_row_id: number;
            total_time_spent: {
                hours: number;
                minutes: number;
                seconds: number;
                totalSeconds: number;
            } | "";
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        NewAddress: {
            addressLine1: string;
            addressLine2?: string;
            /** @description Of a shipping address: the billing address of the same user that it belongs to */
            billing_address_id?: number;
            city: string;
            country: string;
            fullName: string;
            isDefault: boolean;
            orgName?: string;
            orgVatId?: string;
            state?: string;
            /**
             * @default billing
             * @enum {string}
             */
            type?: "billing" | "shipping";
            /** @description As in the path; any other user is refused */
            userId?: number;
            zipcode: string;
        };
        NewAnnouncement: {
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content: string;
            /** @description For specific_course_users; a PUT replaces them */
            course_ids?: number[];
            /**
             * Format: date-time
             * @description From then on learners no longer see it; a date alone is its first moment, UTC. null: it stays
             */
            expiry?: string | null;
            /** @description One line; the mail's subject */
            heading: string;
            /** @description The older form of PUT: the announcement that this is to change */
            id?: number;
            /** @description Only for those whom the rule selects and who belong to one of these portals; [] takes the bound away */
            portal_ids?: number[];
            /** @description One more of portal_ids */
            portalId?: number;
            /**
             * @description Everyone, the users of user_ids, or those who are registered in one of course_ids
             * @enum {string}
             */
            sending_rules: "all" | "specific_users" | "specific_course_users";
            /** @description For specific_users; a PUT replaces them */
            user_ids?: number[];
        };
        NewApiKey: {
            /**
             * @description read: calls that change nothing; write: all that the role may
             * @enum {string}
             */
            access: "read" | "write";
            /**
             * Format: date-time
             * @description Left out: it holds until it is deleted
             */
            expires_at?: string;
            /** @description The families that it may call, as the tags of this document; null: all */
            families?: ("Sessions" | "API keys" | "Two-factor authentication" | "Single sign-on" | "Users" | "Custom fields" | "Addresses" | "Bulk upload" | "Consents" | "User sources" | "Groups" | "Portals" | "Locations" | "Categories" | "Courses" | "Modules" | "Assignment modules" | "Learning paths" | "Learning data" | "Classes" | "Webinars" | "Class reports" | "Reports" | "Exports" | "Certificate templates" | "Certificates" | "Badges" | "Announcements" | "Reviews" | "Memberships" | "Orders" | "Subscriptions" | "Carts" | "Cards" | "Webhooks" | "Audit log" | "Events" | "Operating" | "Credential provider")[] | null;
            name: string;
            /** @enum {string} */
            role: "general" | "group_admin" | "staff" | "admin" | "owner";
            /** @description What the key is trusted with beyond its role and families; nothing unless given. credentials: it sets passwords and email addresses and turns two-factor off, of learners, and with all families of everybody below its role */
            scopes?: "credentials"[];
        };
        NewAssignmentModule: {
            /** @description Required when submission_type is file: image, pdf, document, spreadsheet, presentation, text, audio, video, archive, or a file name's ending such as docx */
            allowed_filetypes?: string[];
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            /** @description MB a file; 0, or none given: 25 */
            maxUploadSize?: number;
            name: string;
            /** @enum {string} */
            submission_type: "text" | "file";
            totalPoints?: number;
        };
        NewAssignmentSubmission: {
            moduleId?: number;
            /** @description The learner must belong to it */
            portalId?: number;
            registrationId?: number;
            /** @description Where none exists yet (-1): registrationId and moduleId */
            statusRowId?: number;
            studentMessage?: string;
            /** @description Where a text is asked for: HTML, cut down to a small allow-list */
            submission?: string;
            /** @description Where files are asked for: the storage_urls of the caller's own uploads */
            submissions?: string[];
            /**
             * Format: date-time
             * @description Staff alone: of records from another system, which no lock, date or least time holds up
             */
            submitted_on?: string;
        };
        NewBadge: {
            /** Format: uri */
            badgeIconUrl: string;
            /** Format: uri */
            defaultIconUrl?: string | null;
            /** @description The client's own, answered as given */
            organizationId?: string | number | null;
            /** @description What each award of it gives; 0 unless given */
            points?: number;
            title: string;
        };
        NewCard: {
            card_type: string;
            last4: string;
            payment_gateway_name: string;
            userId: number;
        };
        NewCart: {
            /**
             * Format: date-time
             * @description When it was filled; now when left out
             */
            created_at?: string;
            /**
             * @description An ISO 4217 code
             * @default USD
             */
            currency?: string;
            items: {
                id: number;
                name: string;
                /** @description In the currency's main unit */
                price: number;
                /** @default 1 */
                quantity?: number;
                type: string;
            }[];
            /** @description The items' sum when left out */
            total?: number;
            userId: number;
        };
        NewCategory: {
            category_name: string;
            /** @enum {string} */
            categoryType: "course" | "question" | "product" | "module" | "user";
        };
        NewCertificateTemplate: {
            /** @description The storage_url of an uploaded PNG or JPEG, which fills the page, or that image's URL here. Images of other sites are not fetched: upload them */
            bg_url?: string;
            /** @description In the order in which they are drawn; a PUT replaces them */
            fields?: components["schemas"]["CertificateTemplateField"][] | null;
            /** @description Pixels, of which 96 make an inch */
            height: number;
            name: string;
            qr_code?: components["schemas"]["CertificateCodePlace"];
            /** @description Pixels, of which 96 make an inch */
            width: number;
        };
        /** @description starttime may be spelled startTime */
        NewClass: {
            allowDownload: boolean;
            courseId: number;
            disabled: boolean;
            /** Format: date-time */
            endTime?: string;
            instructor: number;
            location?: number;
            recurrence?: components["schemas"]["Recurrence"];
            /** Format: date-time */
            startTime?: string;
            studyMaterial?: {
                media_id: number;
                name?: string;
                /** @description Told by the file itself; what is given is ignored */
                type?: string;
            }[] | null;
            /** @description An IANA time zone: in it the class recurs and its times are read and shown. The academy's unless given */
            timeZone?: string;
            /** @enum {string|null} */
            type?: "onetime" | "recurring" | null;
            /** @description Sealed at rest; for staff alone */
            webinar_host_pwd?: string;
            webinar_meeting_id?: string;
            webinarProvider?: string;
        };
        NewClassRecording: {
            classId: number;
            /** @description Seconds */
            duration?: number;
            name: string;
            /**
             * Format: date-time
             * @description In the class's time zone unless it has an offset; the class's end unless given
             */
            recordedAt?: string;
            /** Format: uri */
            url: string;
        };
        NewConsent: {
            /**
             * Format: date-time
             * @description Staff's to give, for consents brought from elsewhere; else now
             */
            consentDate?: string;
            /** @description What was put before the user: the consent text's own id */
            consentId: string;
            country?: string;
            /** @description Staff's to give, for consents brought from elsewhere; else where the call comes from */
            ipAddress?: string;
            /** @enum {string} */
            status: "accepted" | "rejected";
            /** @description The caller when left out */
            userId?: number;
        };
        NewCourse: {
            /** @description The caller unless given */
            authorId?: number;
            /** @description Course categories */
            categoryIds?: number[];
            certificateTemplateId?: number;
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            /** @description What its certificates say it is worth; 0: nothing */
            courseCredit?: number;
            enableCourseRating?: boolean;
            /** @description What those who enroll themselves must know, whatever selfEnroll says; none: nothing */
            enrollmentKey?: string;
            estimatedMinutes?: number;
            /** @description From the registration; 0: it does not expire */
            expiresAfterDays?: number;
            featuredImageUrl?: string;
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            instructions?: string;
            /** @description In order; a PUT replaces them */
            modules?: {
                /**
                 * @description Opens so many days after the registration
                 * @default 0
                 */
                dripDays?: number;
                /**
                 * @description Opens once every required module before it is Completed
                 * @default false
                 */
                isLocked?: boolean;
                /**
                 * @description Seconds in it before it can be Completed
                 * @default 0
                 */
                minTimeSpent?: number;
                module_id: number;
                /**
                 * @description Must be Completed for the course to be
                 * @default true
                 */
                required?: boolean;
            }[] | null;
            name: string;
            /** @description Learners may enroll themselves; false unless given */
            selfEnroll?: boolean;
            /** @description Unique; made from the name where none is given */
            slug?: string;
            /**
             * @description draft unless given
             * @enum {string|null}
             */
            status?: "draft" | "publish" | null;
            /** @description 0: any number */
            totalSeats?: number;
        };
        NewCustomUserField: {
            /** @description Shown in the field until it is answered; never stored as an answer */
            defaultValue?: string | null;
            /** @description Its place: fields are shown from the lowest to the highest. Its place in the array unless given */
            display_order?: number;
            includeInReportExports?: ("export-users" | "course-insight" | "export-orders")[];
            /** @default false */
            isFieldOnCertificate?: boolean;
            /** @default false */
            isFieldOnRegistrationPage?: boolean;
            /** @default false */
            isRequired?: boolean;
            label: string;
            /** @description What may be chosen; required for radio, checkbox and dropdown */
            optionLabel?: string[];
            /** @description An older spelling of optionLabel */
            optionsLabel?: string[];
            /** @enum {string} */
            type: "text" | "textarea" | "date" | "radio" | "checkbox" | "dropdown";
            /** @description What names the field to clients; made from the label when left out */
            userMetaKey?: string;
        };
        NewErasure: {
            /**
             * Format: email
             * @description The user's email address, to confirm who is meant
             */
            email: string;
            /**
             * @description The ground, which the audit log keeps
             * @default requested
             * @enum {string}
             */
            reason?: "requested" | "consent_withdrawn" | "objection" | "no_longer_needed" | "unlawful" | "legal_obligation";
            userId: number;
        };
        NewGamificationEvent: {
            /** @description true unless given; false: it gives nothing */
            active?: boolean;
            /** @description The badge that it gives, with its points */
            badgeId?: number | null;
            name: string;
            /** @description What it gives beside the badge's; 0 unless given */
            points?: number;
            /** @description The course, learning path, module or class that it is about; null or 0: any. A login has none */
            targetId?: number | null;
            /** @enum {string} */
            type: "course_completed" | "learning_path_completed" | "quiz_passed" | "assignment_accepted" | "class_attended" | "login";
        };
        NewGroup: {
            /** @description All who administer it */
            admin_ids?: number[];
            course_seats?: {
                course_id: number;
                total_seats: number;
            }[] | null;
            name: string;
            /** @description All its members */
            user_ids?: number[];
        };
        NewLearningPath: {
            /** @description In order; 1 to 200 */
            course_ids: number[];
            featuredImageUrl?: string;
            name: string;
            /**
             * @description public unless given; private: for those enrolled alone
             * @enum {string|null}
             */
            type?: "public" | "private" | null;
        };
        NewLocation: {
            addressLine1?: string;
            addressLine2?: string;
            /** @description How many people fit in; null or 0: not said */
            capacity?: number | null;
            city?: string;
            country?: string;
            name: string;
            state?: string;
            zipcode?: string;
        };
        NewMembership: {
            /** @description The courses that it gives; a PUT replaces them */
            course_ids?: number[];
            /** @description Days from the start; null or 0: it does not expire */
            expiresAfterDays?: number | null;
            name: string;
        };
        NewOrder: {
            /**
             * Format: date-time
             * @description When it was bought; now when left out
             */
            created_at?: string;
            /**
             * @description An ISO 4217 code
             * @default USD
             */
            currency?: string;
            items: {
                id: number;
                name: string;
                /** @description In the currency's main unit */
                price: number;
                /** @default 1 */
                quantity?: number;
                type: string;
            }[];
            /**
             * @default pending
             * @enum {string}
             */
            status?: "pending" | "completed" | "refunded" | "failed";
            /** @description What was paid, discounts and taxes included; the items' sum when left out */
            total?: number;
            userId: number;
        };
        NewPortal: {
            /** @description All who administer it */
            admin_ids?: number[];
            /**
             * Format: date-time
             * @description From then on it takes nobody new; null: never
             */
            expiryDate?: string | null;
            expiryMessage?: string;
            /** Format: uri */
            logoUrl?: string;
            /** @description All its learners */
            member_ids?: number[];
            name: string;
            parentPortalId?: number;
            portalType?: string;
            primaryColor?: string;
            /** @description Unique; made unless given */
            referralCode?: string;
            /**
             * Format: email
             * @description Where answers to that mail go
             */
            replyTo?: string;
            secondaryColor?: string;
            /** @description Whom mail to its members is from */
            senderName?: string;
            /** @description Unique; made from the name unless given */
            slug?: string;
            /**
             * @description An inactive portal takes nobody new
             * @enum {string}
             */
            status?: "active" | "inactive";
            subscriptionId?: number;
            /** @description How many learners it takes; 0: any number */
            totalSeat?: number;
            /** @description The type of those who administer it; portal_admin unless given */
            userType?: string;
        };
        NewQuizAttempt: {
            moduleId?: number;
            registrationId?: number;
            /**
             * Format: date-time
             * @description Staff alone: of records from another system
             */
            started_on?: string;
            /** @description Where none exists yet (-1): registrationId and moduleId */
            statusRowId?: number;
        };
        NewQuizModule: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            /** @description 0, or none given: any number */
            maxAttempts?: number;
            name: string;
            /** @description Of the points; 0 unless given */
            passPercent?: number;
            questions?: {
                /**
                 * @description short: the accepted texts
                 * @default []
                 */
                answers?: string[] | null;
                /** @description A question category */
                categoryId?: number;
                /** @description As read: it stays the same question. An id that the quiz has not is passed over */
                id?: number;
                /** @default [] */
                options?: {
                    /** @default false */
                    correct?: boolean;
                    /** @description As read: it stays the same option */
                    id?: number;
                    text: string;
                }[] | null;
                /** @default 1 */
                points?: number;
                text: string;
                /** @enum {string} */
                type: "single" | "multiple" | "truefalse" | "short";
            }[] | null;
            /** @description 0, or none given: no limit */
            timeLimitMinutes?: number;
        };
        NewReview: {
            courseId: number;
            rating: number;
            text?: string;
            /** @description The caller when left out */
            userId?: number;
        };
        NewScormModule: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /**
             * @description HTML. Tags beyond a small allow-list are kept as text
             * @default
             */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            /** @description The package's own title unless given */
            name?: string;
            /**
             * Format: binary
             * @description A SCORM 1.2 or 2004 package: a zip of up to 25 MB
             */
            package: Blob;
        };
        NewSsoProvider: {
            /**
             * @description Only an active one signs anybody in
             * @default true
             */
            active?: boolean;
            /**
             * @description Which field of a new user each claim fills: firstName, lastName, avatar, or a custom field by its user_meta_key; emailVerified: the claim says, as email_verified does, that the address is verified. given_name, family_name, picture and email_verified need not be named.
             * @default {}
             */
            claims?: {
                [key: string]: string;
            };
            /** @description This service's id at the provider */
            clientId: string;
            /**
             * Format: password
             * @description Sealed, and never answered; none: a public client
             */
            clientSecret?: string;
            /**
             * @description Makes an account at the first sign-in, with the user type general; else it only finds accounts
             * @default false
             */
            create?: boolean;
            /**
             * @description Whose email addresses it signs in, each domain without those below it; empty: any
             * @default []
             */
            domains?: string[];
            /**
             * @description Those whom it signs in (by portal and by domain) may not use a password; owners may. Needs an owner with a password
             * @default false
             */
            force?: boolean;
            /**
             * Format: uri
             * @description The provider's own name for itself, to the letter: an https URL below which its discovery document is
             */
            issuer: string;
            /** @description What the button says */
            name: string;
            /** @description The portal that it is for; none: the academy */
            portalId?: number;
            /**
             * @description Separated by blanks; always with openid
             * @default openid email profile
             */
            scopes?: string;
            /** @description Unique; the provider's part of /sso/{provider}/start and /callback. Made from the name unless given */
            slug?: string;
        };
        NewSubscription: {
            /** @description The user's card that pays it */
            cardId?: number;
            /**
             * Format: date-time
             * @description When it was made; now when left out
             */
            created_at?: string;
            /**
             * @description An ISO 4217 code
             * @default USD
             */
            currency?: string;
            /**
             * Format: date-time
             * @description Left out: open-ended
             */
            end_date?: string;
            /**
             * Format: date-time
             * @description Left out: now
             */
            start_date?: string;
            /**
             * @default Active
             * @enum {string}
             */
            status?: "Active" | "Cancelled" | "Expired";
            subscription_name: string;
            /** @description In the currency's main unit */
            total: number;
            userId: number;
        };
        NewTextModule: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            name: string;
        };
        NewUser: {
            /** @description Custom fields' values by meta key: a value, an array of options, or an object with submitted_value as read */
            customUserMetas?: {
                [key: string]: components["schemas"]["CustomFieldValue"];
            } | null;
            /** Format: email */
            email: string;
            firstName: string;
            lastName?: string;
            /**
             * Format: password
             * @description Required, unless sendInvitation is true: then it is left out
             */
            password?: string;
            /**
             * Format: password
             * @description Required with password, and the same
             */
            password_confirmation?: string;
            /** @description An extension: true creates the user without a password, and mails them a one-time link to choose one */
            sendInvitation?: boolean;
            /** @description An extension: a source of /api/user-source */
            user_source_id?: number;
            userCategory?: number[];
            /** @description An extension: general unless given. Staff gives types below staff, an admin any but owner, an owner any. */
            userType?: string;
        };
        NewUserSource: {
            description?: string;
            /** @description Unique; letters, digits, - and _, kept in lower case */
            identifier: string;
            /** @description An image's http(s) URL; empty or null: none */
            logoUrl?: string | null;
            name: string;
        };
        NewVideoModule: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            name: string;
            /** @description Its length */
            videoSeconds?: number;
            videoUrl?: string | null;
        };
        NewWebhook: {
            /**
             * @description How many events are sent at once. Above 1, events may arrive out of order
             * @default 1
             */
            concurrency?: number;
            description?: string;
            /** @description The types of events that it is sent */
            events: ("user.created" | "user.erased" | "enrollment.created" | "enrollment.completed" | "quiz.submitted" | "assignment.submitted" | "assignment.evaluated" | "assignment.rejected" | "order.created" | "order.pending" | "order.failed" | "order.refused" | "announcement.created" | "certificate.issued" | "class.enrolled" | "export.completed")[];
            /**
             * Format: uri
             * @description HTTPS, at a public host
             */
            url: string;
        };
        NotReady: {
            /** @description What still fills in rows of before a migration; the service works meanwhile */
            backfills?: string[];
            /** @enum {string} */
            code: "unavailable";
            /** @description What is wrong, by part */
            errors: {
                database?: string[];
                jobs?: string[];
                outbox?: string[];
                schema?: string[];
            };
            mail?: components["schemas"]["MailStatus"];
            message: string;
            reads?: components["schemas"]["ReadsOfDatabase"];
            /** @description The last migration that was applied */
            schema?: string;
            /** @enum {string} */
            status: "error";
            waiting?: components["schemas"]["Waiting"];
        };
        Order: {
            created_at: string;
            currency: string;
            display_status: string;
            display_total: string;
            id: number;
            items: {
                id: number;
                name: string;
                /** @description Of one, in the currency's main unit */
                price: number;
                quantity: number;
                type: string;
            }[];
            /** @enum {string} */
            status: "pending" | "completed" | "refunded" | "failed";
            /** @description In the currency's main unit */
            total: number;
            /** @description null: the user was deleted since */
            userId: number | null;
            userName: string;
        };
        OrderChanges: {
            /** @description An ISO 4217 code */
            currency?: string;
            items?: {
                id: number;
                name: string;
                /** @description In the currency's main unit */
                price: number;
                /** @default 1 */
                quantity?: number;
                type: string;
            }[] | null;
            /** @enum {string|null} */
            status?: "pending" | "completed" | "refunded" | "failed" | null;
            /** @description In the currency's main unit */
            total?: number;
        };
        OwnAnnouncementRow: {
            author: string;
            content: string;
            created_at: string;
            heading: string;
            id: number;
        };
        PersonalDataExport: {
            /** @description The caller's own data unless given */
            userId?: number;
        };
        Portal: {
            admin_ids: number[];
            created_at: string;
            expiryDate: string | null;
            expiryMessage: string;
            id: number;
            logoUrl: string | null;
            /** @description Its learners; users/tabularlist with portalId lists them */
            member_count: number;
            name: string;
            parentPortalId: number | null;
            portalType: string;
            primaryColor: string | null;
            referralCode: string;
            replyTo: string | null;
            secondaryColor: string | null;
            senderName: string | null;
            slug: string;
            /** @enum {string} */
            status: "active" | "inactive";
            subscriptionId: number | null;
            totalSeat: number;
            userType: string;
        };
        PortalChanges: {
            /** @description Learners who come in; the others stay */
            add_member_ids?: number[];
            /** @description All who administer it */
            admin_ids?: number[];
            /**
             * Format: date-time
             * @description From then on it takes nobody new; null: never
             */
            expiryDate?: string | null;
            expiryMessage?: string;
            /** Format: uri */
            logoUrl?: string;
            /** @description All its learners */
            member_ids?: number[];
            name?: string;
            parentPortalId?: number;
            portalType?: string;
            primaryColor?: string;
            /** @description Unique; made unless given */
            referralCode?: string;
            /** @description Learners who go; the others stay */
            remove_member_ids?: number[];
            /**
             * Format: email
             * @description Where answers to that mail go
             */
            replyTo?: string;
            secondaryColor?: string;
            /** @description Whom mail to its members is from */
            senderName?: string;
            /** @description Unique; made from the name unless given */
            slug?: string;
            /**
             * @description An inactive portal takes nobody new
             * @enum {string}
             */
            status?: "active" | "inactive";
            subscriptionId?: number;
            /** @description How many learners it takes; 0: any number */
            totalSeat?: number;
            /** @description The type of those who administer it; portal_admin unless given */
            userType?: string;
        };
        PortalCreate: {
            cloneBrandingNotifications?: boolean;
            clonePortalAdmins?: boolean;
            portals: {
                /**
                 * Format: date-time
                 * @description From then on it takes nobody new; null: never
                 */
                expiryDate?: string | null;
                expiryMessage?: string;
                name: string;
                parentPortalId?: number;
                portalType?: string;
                /** @description Unique; made unless given */
                referralCode?: string;
                /** @description Unique; made from the name unless given */
                slug?: string;
                /**
                 * @description An inactive portal takes nobody new
                 * @enum {string}
                 */
                status?: "active" | "inactive";
                subscriptionId?: number;
                /** @description How many learners it takes; 0: any number */
                totalSeat?: number;
                /** @description The type of those who administer it; portal_admin unless given */
                userType?: string;
            }[];
            userId: number;
        };
        PortalLearningPath: {
            certificateCount: number;
            completedLpCourses: number;
            /** @description The caller's; Not Started where they are not enrolled */
            display_status: string;
            featureImage: string | null;
            /** @description The path's id, as learningPathId */
            id: number;
            isEnrolled: boolean;
            /** @description The path's URL */
            launchSlug: string;
            learningPathId: number;
            learningPathName: string;
            percentComplete: number;
            /** @description The mean of the ratings given; 0 without any */
            rating: number;
            totalEstimatedTime: string;
            totalLPCourses: number;
            /** @enum {string} */
            type: "public" | "private";
        };
        Progress: {
            /**
             * Format: date-time
             * @description Staff alone: of records from another system, which no lock, date or least time holds up
             */
            completed_on?: string;
            moduleId?: number;
            /** @description Through the module; it never falls */
            percentage?: number;
            registrationId?: number;
            /**
             * Format: date-time
             * @description Staff alone
             */
            started_on?: string;
            /**
             * @description In Progress unless given
             * @enum {string|null}
             */
            status?: "In Progress" | "Completed" | null;
            /** @description Where none exists yet (-1): registrationId and moduleId */
            statusRowId?: number;
            /** @description Seconds, added to what is there */
            timeSpent?: number;
        };
        ProgressRecord: {
            /**
             * Format: date-time
             * @description Makes it Completed; else In Progress
             */
            completed_on?: string;
            moduleId: number;
            /** @description Through the module; 100 where it is Completed */
            percentage?: number;
            registrationId: number;
            /**
             * Format: date-time
             * @description As completed_on unless given
             */
            started_on?: string;
            /** @description Seconds */
            timeSpent?: number;
        };
        ProgressRecords: {
            records: components["schemas"]["ProgressRecord"][];
        };
        ProgressReset: {
            /**
             * Format: date-time
             * @description When all of them expire; unless given, those that have expired get the course's own term
             */
            expire_on?: string;
            registration_ids: number[];
        };
        QuizAttempt: {
            /** @description Of the registration's attempts at this quiz, from 1 */
            attempt: number;
            attemptId: number;
            /**
             * Format: date-time
             * @description null: no time limit
             */
            due_on: string | null;
            questions: {
                id: number;
                /** @description Empty of a short one */
                options: {
                    id: number;
                    text: string;
                }[];
                points: number;
                text: string;
                /** @enum {string} */
                type: "single" | "multiple" | "truefalse" | "short";
            }[];
            /** Format: date-time */
            started_on: string;
            statusRowId: number;
        };
        QuizModule: {
            author: string;
            categoryIds: number[];
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            maxAttempts: number;
            name: string;
            passPercent: number;
            questions: {
                answers: string[];
                categoryId: number | null;
                id: number;
                options: {
                    correct: boolean;
                    id: number;
                    text: string;
                }[];
                points: number;
                text: string;
                /** @enum {string} */
                type: "single" | "multiple" | "truefalse" | "short";
            }[];
            showMappedCourses: boolean;
            slug: string;
            timeLimitMinutes: number;
            totalPoints: number;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        QuizModuleChanges: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            /** @description 0, or none given: any number */
            maxAttempts?: number;
            name?: string;
            /** @description Of the points; 0 unless given */
            passPercent?: number;
            questions?: {
                /**
                 * @description short: the accepted texts
                 * @default []
                 */
                answers?: string[] | null;
                /** @description A question category */
                categoryId?: number;
                /** @description As read: it stays the same question. An id that the quiz has not is passed over */
                id?: number;
                /** @default [] */
                options?: {
                    /** @default false */
                    correct?: boolean;
                    /** @description As read: it stays the same option */
                    id?: number;
                    text: string;
                }[] | null;
                /** @default 1 */
                points?: number;
                text: string;
                /** @enum {string} */
                type: "single" | "multiple" | "truefalse" | "short";
            }[] | null;
            /** @description 0, or none given: no limit */
            timeLimitMinutes?: number;
        };
        QuizResult: {
            attemptId: number;
            message: string;
            outOf: number;
            percent: number;
            /** @enum {string} */
            result: "passed" | "failed";
            score: number;
        };
        QuizScores: {
            /** @description Completed ones, each of a learner's */
            attempts: number;
            courseId: number;
            moduleId: number;
            /** @description The quiz's */
            name: string;
            /** @description How many of them passed */
            passed: number;
            /** @description Only percents that were earned, ascending */
            scores: {
                attempts: number;
                /** @description As in the student-quizzes report */
                percent: number;
            }[];
        };
        QuizSubmission: {
            /** @default [] */
            answers?: {
                optionIds?: number[];
                questionId: number;
                text?: string;
            }[] | null;
            attemptId: number;
            /**
             * Format: date-time
             * @description Staff alone: of records from another system
             */
            submitted_on?: string;
        };
        /** @description null: the module is no quiz */
        QuizTerms: {
            /** @description Begun since the module was opened, or reset */
            attempts_used: number;
            /** @description One is begun and not submitted: it can be continued */
            is_attempt_open: boolean;
            /** @description 0: any number */
            max_attempts: number;
            /** @description Of the points */
            pass_percent: number;
            questions: number;
            /** @description 0: no limit */
            time_limit_minutes: number;
        } | null;
        Readiness: {
            /** @description What still fills in rows of before a migration; the service works meanwhile */
            backfills: string[];
            mail: components["schemas"]["MailStatus"];
            reads: components["schemas"]["ReadsOfDatabase"];
            /** @description The last migration that was applied */
            schema: string;
            /** @enum {string} */
            status: "ready";
            waiting: components["schemas"]["Waiting"];
        };
        ReadsOfDatabase: {
            /** @enum {string} */
            by: "primary" | "replica";
            /** @description Where it is; null: D1 does not tell */
            region: string | null;
        };
        Recertification: {
            registrationId: number;
        };
        RecordedAssignmentSubmissions: {
            submissions: {
                /**
                 * Format: date-time
                 * @description submitted_on unless given
                 */
                evaluated_on?: string;
                instructorMessage?: string;
                /** @description true where pointsAwarded is given; without either it awaits its evaluation */
                isAccepted?: boolean;
                moduleId?: number;
                pointsAwarded?: number;
                registrationId?: number;
                /** @description Where none exists yet (-1): registrationId and moduleId */
                statusRowId?: number;
                /** Format: date-time */
                submitted_on: string;
            }[];
        };
        RecordedQuizAttempts: {
            attempts: {
                moduleId?: number;
                outOf: number;
                registrationId?: number;
                score: number;
                /**
                 * Format: date-time
                 * @description submitted_on unless given
                 */
                started_on?: string;
                /** @description Where none exists yet (-1): registrationId and moduleId */
                statusRowId?: number;
                /** Format: date-time */
                submitted_on: string;
            }[];
        };
        /** @description An RFC 5545 rule in other words; times are those of the class's timeZone, an endTime before startTime is of the next day, and end is {date} or {count}. All sessions last equally long: one that starts in an hour that the clocks skip starts an hour later */
        Recurrence: {
            /** @default [] */
            classDays?: ("MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU")[] | null;
            end: {
                count?: number;
                /** Format: date */
                date?: string;
            };
            endTime: string;
            /** @enum {string} */
            frequency: "daily" | "weekly" | "monthly";
            /** @default 1 */
            interval?: number;
            /** Format: date */
            startDate: string;
            startTime: string;
        } | null;
        Redelivery: {
            /** @description Events whose deliveries the webhook's list has */
            event_ids?: string[];
            id: number;
            /**
             * Format: date-time
             * @description Every event since then
             */
            since?: string;
        };
        RegistrationModule: components["schemas"]["ModuleStatusRow"] & {
            quiz: components["schemas"]["QuizTerms"];
        };
        Review: {
            courseId: number;
            created_at: string;
            id: number;
            rating: number;
            text: string;
            userId: number;
            userName: string;
        };
        ReviewChanges: {
            rating?: number;
            text?: string;
        };
        SavedCard: {
            card_type: string;
            id: number;
            last4: string;
            payment_gateway_name: string;
        };
        ScormCommit: {
            /** @description The data model of SCORM 1.2 or 2004, as flat keys (cmi.core.lesson_status), nested objects or both */
            cmi: {
                [key: string]: components["schemas"]["Json"];
            };
            moduleId?: number;
            registrationId?: number;
            /** @description Where none exists yet (-1): registrationId and moduleId */
            statusRowId?: number;
        };
        ScormCommitted: {
            attempt: number;
            /** @enum {string} */
            completion_status: "completed" | "incomplete" | "not attempted" | "unknown";
            /** @enum {number} */
            errorCode: 0;
            message: string;
            /**
             * @description With errorCode, what a runtime asks its service for
             * @enum {boolean}
             */
            result: true;
            /**
             * @description The module's, after the commit
             * @enum {string}
             */
            status: "In Progress" | "Completed";
            statusRowId: number;
            /** @enum {string} */
            success_status: "passed" | "failed" | "unknown";
        };
        ScormLaunch: {
            /** @description The attempt that goes on, from 1; 0: a new one */
            attempt: number;
            /** @description What the runtime begins with: element (cmi.suspend_data) to value */
            cmi: {
                [key: string]: string;
            };
            /** @description Where the runtime commits this session (lmsCommitUrl) */
            commit_url: string;
            /** @description A page of another origin, to be framed by a page of this one: it plays the package; for 12 hours */
            launch_url: string;
            moduleId: number;
            registrationId: number;
            /** @description -1 when no status exists */
            statusRowId: number;
            /** @enum {string} */
            version: "2004" | "1.2";
        };
        ScormModule: {
            author: string;
            categoryIds: number[];
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            name: string;
            packageBytes: number;
            /**
             * @description null until a package is uploaded
             * @enum {string|null}
             */
            scormVersion: "2004" | "1.2" | null;
            showMappedCourses: boolean;
            slug: string;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        ScormModuleChanges: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            name?: string;
        };
        ScormPackage: {
            /**
             * Format: binary
             * @description A SCORM 1.2 or 2004 package: a zip of up to 25 MB
             */
            package: Blob;
        };
        SelfEnrollment: {
            course_id: number;
            /** @description Where the course asks for one */
            enrollment_key?: string;
        };
        SignInElsewhere: components["schemas"]["Error"] & {
            /** @description Where the sign-in by the person's provider begins */
            signInUrl?: string;
        };
        SignInRefused: components["schemas"]["Error"] & {
            /**
             * @description The password was a temporary one
             * @enum {boolean}
             */
            passwordChangeRequired?: true;
            /** @description Where the user chooses one of their own */
            setPasswordUrl?: string;
            /**
             * @description Send `code` as well
             * @enum {boolean}
             */
            twoFactorRequired?: true;
        };
        SignUp: {
            /** @description Custom fields' values by meta key: a value, an array of options, or an object with submitted_value as read */
            customUserMetas?: {
                [key: string]: components["schemas"]["CustomFieldValue"];
            } | null;
            /** Format: email */
            email: string;
            firstName: string;
            lastName?: string;
        };
        SsoProvider: {
            active: boolean;
            callbackUrl: string;
            claims: {
                [key: string]: string;
            };
            clientId: string;
            create: boolean;
            created_at: string;
            domains: string[];
            force: boolean;
            hasClientSecret: boolean;
            id: number;
            issuer: string;
            name: string;
            portalId: number | null;
            scopes: string;
            slug: string;
            startUrl: string;
        };
        SsoProviderChanges: {
            active?: boolean;
            /** @description Which field of a new user each claim fills: firstName, lastName, avatar, or a custom field by its user_meta_key; emailVerified: the claim says, as email_verified does, that the address is verified. given_name, family_name, picture and email_verified need not be named. */
            claims?: {
                [key: string]: string;
            };
            /** @description This service's id at the provider */
            clientId?: string;
            /**
             * Format: password
             * @description Left out: as it is; null or empty: a public client
             */
            clientSecret?: string | null;
            /** @description Makes an account at the first sign-in, with the user type general; else it only finds accounts */
            create?: boolean;
            /** @description Whose email addresses it signs in, each domain without those below it; empty: any */
            domains?: string[];
            /** @description Those whom it signs in (by portal and by domain) may not use a password; owners may. Needs an owner with a password */
            force?: boolean;
            /**
             * Format: uri
             * @description Another one, or another clientId, undoes the links between the provider's people and users
             */
            issuer?: string;
            name?: string;
            portalId?: number;
            /** @description Separated by blanks; always with openid */
            scopes?: string;
            /** @description Unique; the provider's part of /sso/{provider}/start and /callback. Made from the name unless given */
            slug?: string;
        };
        SsoUnlinking: {
            provider_id: number;
            user_ids: number[];
        };
        StudyMaterial: {
            classMaterial: {
                created_at: string;
                file_name: string;
                file_type: string;
                id: number;
                media_stream_id: number;
                /** @description Shows it in place, with ranges for players */
                media_stream_url: string;
                mime_type: string;
                /**
                 * @description What the caller may do with it
                 * @enum {string}
                 */
                status: "download" | "view";
                /** @description Saves the file; null where it may only be viewed */
                storage_url: string | null;
            }[];
            /** @enum {string} */
            display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
            end: string;
            endDate: string;
            endTime: string;
            featuredImageUrl: string | null;
            instructions: string;
            instructor: string;
            location: string;
            /** @description The course's */
            name: string;
            start: string;
            startDate: string;
            startTime: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
        };
        StudyMaterialUpload: {
            /** Format: binary */
            file: Blob;
            name?: string;
        };
        Submission: {
            attempt: number;
            avatar: string;
            course_name: string;
            email: string;
            first_name: string;
            last_name: string;
            module_id: number;
            module_name: string;
            /** @enum {string} */
            module_type: "text" | "video" | "quiz" | "scorm" | "assignment";
            /**
             * @description Submitted: awaits its evaluation
             * @enum {string}
             */
            status: "Submitted" | "Accepted" | "Returned" | "Closed";
            status_row_id: number;
            submission_id: number;
            submitted_on: string;
        };
        Subscription: {
            cardId: number | null;
            created_at: string;
            currency: string;
            /** @description Never: open-ended */
            end_date: string;
            id: number;
            start_date: string;
            /**
             * @description One that is active past its end date is Expired
             * @enum {string}
             */
            status: "Active" | "Cancelled" | "Expired";
            subscription_name: string;
            /** @description In the main unit of the subscription's currency */
            total: number;
            userId: number;
        };
        SubscriptionChanges: {
            /** @description null: no card */
            cardId?: number | null;
            /** @description An ISO 4217 code */
            currency?: string;
            /**
             * Format: date-time
             * @description null or Never: open-ended
             */
            end_date?: string | null;
            /** Format: date-time */
            start_date?: string;
            /** @enum {string|null} */
            status?: "Active" | "Cancelled" | "Expired" | null;
            subscription_name?: string;
            /** @description In the currency's main unit */
            total?: number;
        };
        SubscriptionRow: {
            created_at: string;
            /** @description Never: open-ended */
            end_date: string;
            id: number;
            item: string;
            start_date: string;
            /**
             * @description One that is active past its end date is Expired
             * @enum {string}
             */
            status: "Active" | "Cancelled" | "Expired";
            subscription_name: string;
            /** @description In the main unit of the subscription's currency */
            total: number;
        };
        TextModule: {
            author: string;
            categoryIds: number[];
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            name: string;
            showMappedCourses: boolean;
            slug: string;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
        };
        TextModuleChanges: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            name?: string;
        };
        TokenAnswer: {
            /** @description Send it as `Authorization: Bearer` */
            access_token: string;
            /** @description Seconds */
            expires_in: number;
            /** @enum {string} */
            scope: "read" | "read write";
            /** @enum {string} */
            token_type: "Bearer";
        };
        TokenRefusal: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable";
            error_description: string;
        };
        TokenRequest: {
            /** @description The API key's id, unless sent as HTTP Basic */
            client_id?: string;
            /** @description The API key, unless sent as HTTP Basic */
            client_secret?: string;
            /** @enum {string} */
            grant_type: "client_credentials";
            /** @description read, or read write; what the key allows unless given */
            scope?: string;
        };
        /** @description The codes are there while they wait to be confirmed; null once two-factor is on, and before prepare. */
        TwoFactorState: {
            /** @description SVG markup */
            as_qr_code: string | null;
            /** @description The secret, in Base32 */
            as_string: string | null;
            as_uri: string | null;
            is2FactorAuthActive: boolean;
            /** @description SVG markup */
            qr_code: string | null;
            /** @description The secret, in Base32 */
            string_code: string | null;
        };
        Unenrollment: {
            course_ids: number[];
            user_ids: number[];
        };
        User: {
            avatar: string;
            /** @description The calling user's type; anonymous without a session */
            currentLoggedUserType: string;
            customUserMetas: {
                [key: string]: {
                    label: string;
                    option_label?: string[];
                    option_value?: string[];
                    placeholder_value: string;
                    /** @description Empty: not answered. A date as YYYY-MM-DD; several options as option values joined by commas */
                    submitted_value: string;
                    type: string;
                };
            };
            disabled: boolean;
            email: string;
            firstName: string;
            id: number;
            /** @description For staff and above; null for others */
            internal_note: string | null;
            lastLoggedIn: string;
            lastName: string;
            membership: {
                expiryDate: string | null;
                id: number;
                name: string;
            } | null;
            /** @description An extension: the address that callers asked for in place of their own, which counts once they open the link that was mailed to it. null for none, and for everybody else */
            pendingEmail: string | null;
            /** @description An extension: where the user came from */
            user_source_id: number;
            userType: string;
        };
        UserBadge: {
            badgeIconUrl: string;
            /** @description How often the user earned it */
            count: number;
            defaultIconUrl: string | null;
            id: number;
            organizationId: string | number | null;
            points: number;
            title: string;
        };
        UserCertificate: {
            coursefeaturedImage: string | null;
            /** @description null: the course was deleted since */
            courseId: number | null;
            /** @description As it was at issue */
            courseName: string;
            id: number;
            issueDate: string;
            /** @description The public page that shows anybody whether the certificate is valid */
            publicUrl: string;
            templateId: number;
            userId: number;
        };
        UserChanges: {
            /** @description An image's http(s) URL or path, or vector markup, which is cut down to shapes; initials, empty or null for the initials */
            avatar?: string | null;
            /**
             * Format: password
             * @description An extension: the caller's present password. Where callers change their own email address or password, it is required with a session cookie, and with a bearer token where REQUIRE_CURRENT_PASSWORD is on; else it is checked when given. Ten wrong ones in 15 minutes close the account's sign-in
             */
            current_password?: string;
            /**
             * Format: password
             * @description An extension: the caller's present password. Where callers change their own email address or password, it is required with a session cookie, and with a bearer token where REQUIRE_CURRENT_PASSWORD is on; else it is checked when given. Ten wrong ones in 15 minutes close the account's sign-in
             */
            currentPassword?: string;
            /** @description Custom fields' values by meta key: a value, an array of options, or an object with submitted_value as read */
            customUserMetas?: {
                [key: string]: components["schemas"]["CustomFieldValue"];
            } | null;
            disabled?: boolean;
            /** Format: email */
            email?: string;
            firstName?: string;
            internal_note?: string;
            /** @description Read back by older clients; never written */
            lastLoggedIn?: string;
            lastName?: string;
            /** @description Read back; never written: send another email instead */
            pendingEmail?: string | null;
            /** @description An extension: a source of /api/user-source */
            user_source_id?: number;
            userCategory?: number[];
            /** @description An extension; as in create */
            userType?: string;
        };
        UserClassEnrollment: {
            /** Format: uri */
            add_calendar_link: string;
            class: string;
            classId: number;
            /** Format: uri */
            classStudyMaterial: string;
            courseId: number;
            /** @enum {string} */
            display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
            end: string;
            endDate: string;
            endTime: string;
            featuredImageUrl: string | null;
            /** @description The class enrollment's */
            id: number;
            instructor: string;
            /** @description A date, or Never */
            last_accessed_on: string;
            /** @description The operation that launches the webinar; empty without one */
            launchUrl: string;
            /** @description Its name; empty where there is none */
            location: string;
            registered_on: string;
            start: string;
            startDate: string;
            startTime: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            /** @enum {string} */
            studyMethod: "instructor_led";
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
            /** @description The course's name */
            title: string;
            /** @description The class's own id where it is held online, else null */
            webinarId: number | null;
        };
        UserClassReportRow: {
            certificate_issued: boolean;
            /** @description The course's name */
            courseName: string;
            /** @enum {string} */
            display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
            email: string;
            end_time: string;
            /** @description The class enrollment's */
            id: number;
            /** @description A date, or Never */
            last_accessed_on: string;
            /** @description Its name; empty where there is none */
            location: string;
            name: string;
            registered_on: string;
            start_time: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
            user_id: number;
        };
        UserClassSession: {
            classId: number;
            /** Format: date-time */
            end_time: string;
            instructor: string;
            isOnline: boolean;
            /** @description Its name; empty where there is none */
            location: string;
            /** @description The class enrollment's id */
            registrationId: number;
            /** Format: date-time */
            start_time: string;
            /** @enum {string} */
            status: "Registered" | "Attended" | "No Show" | "Cancelled";
            /** @description The IANA time zone of the times beside it: the class's */
            timeZone: string;
            /** @description The course's name */
            title: string;
        };
        UserConsent: {
            consentDate: string;
            consentId: string;
            country: string;
            createdAt: string;
            id: number;
            ipAddress: string;
            /** @enum {string} */
            status: "accepted" | "rejected";
            userId: number;
            userName: string;
        };
        UserDetailedRow: {
            /** @enum {string} */
            access_status: "Allowed" | "Expired";
            /** @description Spelled as the interface has it */
            certifcate_issued: boolean;
            /** @description A date, or Never */
            completed_on: string;
            courseName: string;
            email: string;
            /** @description A date, or Never */
            expire_on: string;
            id: number;
            /** @description A date, or Never */
            last_accessed_on: string;
            name: string;
            /** @description Of the points of what was graded; null where nothing was */
            percent_achieved: number | null;
            percent_complete: number;
            /** @description A date, or Never */
            registered_on: string;
            /** @description A date, or Never */
            started_on: string;
            /** @enum {string} */
            status: "Not Started" | "In Progress" | "Completed";
            total_time_spent: {
                hours: number;
                minutes: number;
                seconds: number;
                totalSeconds: number;
            };
            user_id: number;
        };
        UserOrder: {
            created_at: string;
            currency: string;
            display_status: string;
            display_total: string;
            id: number;
            /** @description The items' names */
            items: string;
            /** @enum {string} */
            status: "pending" | "completed" | "refunded" | "failed";
            /** @description In the currency's main unit */
            total: number;
            /** @description null: the user was deleted since */
            userId: number | null;
            userName: string;
        };
        UserPortal: {
            expiryDate: string | null;
            expiryMessage: string;
            id: number;
            name: string;
            parentPortalId: number | null;
            portalType: string;
            referralCode: string;
            slug: string;
            /** @enum {string} */
            status: "active" | "inactive";
            subscriptionId: number | null;
            totalSeat: number;
            /** @description What the user is in this portal */
            userType: string;
        };
        UserRow: {
            /** @description Initials, vector markup or an image's URL */
            avatar: string;
            created_at: string;
            display_type: string;
            display_user_type: string;
            email: string;
            first_name: string;
            id: number;
            is_disabled: boolean;
            last_login: string;
            last_name: string;
            /** @description Names, separated by commas */
            portals: string;
            source: string;
            /** @description Names, separated by commas */
            user_category: string;
            user_type: string;
        };
        UserSource: {
            description: string | null;
            id: number;
            identifier: string;
            logoUrl: string | null;
            name: string;
        };
        UserSourceChanges: {
            description?: string;
            /** @description Unique; letters, digits, - and _, kept in lower case */
            identifier?: string;
            /** @description An image's http(s) URL; empty or null: none */
            logoUrl?: string | null;
            name?: string;
        };
        UsersReportRow: {
            created_at: string;
            email: string;
            first_name: string;
            last_login: string;
            last_name: string;
            user_type: string;
        };
        VideoModule: {
            author: string;
            categoryIds: number[];
            content: string;
            course_count: number;
            courses: {
                course_id: number;
                course_name: string;
            }[];
            created_at: string;
            estimatedCompletion: number;
            /** @enum {string} */
            estimationCompletedUnit: "minutes" | "hour";
            icon: string;
            id: number;
            isLocked: boolean;
            name: string;
            showMappedCourses: boolean;
            slug: string;
            /** @enum {string} */
            type: "text" | "video" | "quiz" | "scorm" | "assignment";
            videoSeconds: number;
            videoUrl: string | null;
        };
        VideoModuleChanges: {
            /** @description Module categories; a PUT replaces them */
            categoryIds?: number[];
            /** @description HTML. Tags beyond a small allow-list are kept as text */
            content?: string;
            estimatedCompletion?: number;
            /**
             * @description minutes unless given
             * @enum {string|null}
             */
            estimationCompletedUnit?: "minutes" | "hour" | null;
            /** @description The type's own unless given */
            icon?: string;
            /** @description Opens once every required module before it is Completed, in whatever course it is */
            isLocked?: boolean;
            name?: string;
            /** @description Its length */
            videoSeconds?: number;
            videoUrl?: string | null;
        };
        Waiting: {
            /** @description Seconds for which the oldest background job has been due with nobody at work on it */
            backgroundJobs: number;
            /** @description Seconds for which the oldest bulk upload has been due with nobody at work on it */
            bulkUploads: number;
            /** @description Seconds for which the oldest erasure of a person has been due with nobody at work on it */
            erasures: number;
            /** @description Seconds for which the oldest export has been due with nobody at work on it */
            exports: number;
            /** @description Seconds for which the oldest mail has been due with nobody at work on it */
            mails: number;
            /** @description Seconds for which the oldest webhook has been due with nobody at work on it */
            webhooks: number;
        };
        Webhook: {
            concurrency: number;
            created_at: string;
            createdBy: number | null;
            description: string;
            enabled: boolean;
            events: ("user.created" | "user.erased" | "enrollment.created" | "enrollment.completed" | "quiz.submitted" | "assignment.submitted" | "assignment.evaluated" | "assignment.rejected" | "order.created" | "order.pending" | "order.failed" | "order.refused" | "announcement.created" | "certificate.issued" | "class.enrolled" | "export.completed")[];
            /**
             * Format: date-time
             * @description Since when no attempt held; null while the last one did
             */
            failingSince: string | null;
            id: number;
            /**
             * @description Why it was switched off, where no person did it: three days of failure, or a 410 answer
             * @enum {string}
             */
            offReason: "" | "failing" | "gone";
            url: string;
        };
        WebhookChanges: {
            /** @description How many events are sent at once. Above 1, events may arrive out of order */
            concurrency?: number;
            description?: string;
            /** @description true: it goes on where it stopped */
            enabled?: boolean;
            /** @description The types of events that it is sent */
            events?: ("user.created" | "user.erased" | "enrollment.created" | "enrollment.completed" | "quiz.submitted" | "assignment.submitted" | "assignment.evaluated" | "assignment.rejected" | "order.created" | "order.pending" | "order.failed" | "order.refused" | "announcement.created" | "certificate.issued" | "class.enrolled" | "export.completed")[];
            /**
             * Format: uri
             * @description HTTPS, at a public host
             */
            url?: string;
        };
        WebhookDelivery: {
            /** @description Its first 500 bytes */
            answer: string;
            /** @description null: there was no answer */
            answerStatus: number | null;
            attempts: number;
            /** @description Why there was no answer; else empty */
            error: string;
            eventId: string;
            /** Format: date-time */
            lastAttemptAt: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            occurredAt: string;
            /**
             * @description waiting: its next attempt is to come; failed: it has had all of them
             * @enum {string}
             */
            status: "delivered" | "waiting" | "failed";
            type: string;
        };
        WebhookRow: {
            concurrency: number;
            created_at: string;
            createdBy: number | null;
            description: string;
            enabled: boolean;
            events: ("user.created" | "user.erased" | "enrollment.created" | "enrollment.completed" | "quiz.submitted" | "assignment.submitted" | "assignment.evaluated" | "assignment.rejected" | "order.created" | "order.pending" | "order.failed" | "order.refused" | "announcement.created" | "certificate.issued" | "class.enrolled" | "export.completed")[];
            /**
             * Format: date-time
             * @description Since when no attempt held; null while the last one did
             */
            failingSince: string | null;
            id: number;
            /**
             * @description Why it was switched off, where no person did it: three days of failure, or a 410 answer
             * @enum {string}
             */
            offReason: "" | "failing" | "gone";
            url: string;
        };
        WebinarLaunch: {
            is_success: boolean;
            /** @description Why it cannot be launched, where it cannot */
            message: string;
            /** @description The meeting with a signed credential of two hours; empty where it cannot */
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
    createAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAnnouncement"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWithJob"];
                };
            };
        };
    };
    getAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Announcement"];
                };
            };
        };
    };
    updateAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementChanges"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWithJob"];
                };
            };
        };
    };
    deleteAnnouncements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listAnnouncements: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "heading" | "created_at" | "content" | "rules";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    heading?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["AnnouncementRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedApiKey"];
                };
            };
        };
    };
    deleteApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedApiKey"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "role" | "access" | "expires_at" | "last_used_at" | "created_by" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ApiKey"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query: {
                /** @description user (or learner, student): what the caller did; else all that the caller may see */
                context?: string;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "performed_by" | "effect_on" | "subject" | "action" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /**
                     * @description A verb of the lookup, in either case
                     * @enum {string}
                     */
                    activityName?: "login" | "created" | "updated" | "deleted";
                    /** @description The first and the last day, UTC; either may be left blank. Several, separated by commas */
                    dates?: string;
                    /** @description Who did it: a user's id, or a part of a name or an email address */
                    performed_by?: string;
                    /** @description A kind of record, as performedOnList has it */
                    performedOn?: string;
                    /** @description Whom it concerns: what this user did, and what was done to them */
                    user_id?: number;
                };
                /** @description Only this month: November 2026, Nov 2026 or 2026-11 */
                selectedMonth?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The kinds of records that have been recorded */
                        performedOnList: string[];
                        records: components["schemas"]["AuditRecord"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    lookUpAuditVerbs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        db_value: "login" | "created" | "updated" | "deleted";
                        display_value: string;
                    }[];
                };
            };
        };
    };
    getBadge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Badge"];
                };
            };
        };
    };
    updateBadge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBadge"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    awardBadge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BadgeAward"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        awarded: number;
                        message: string;
                        /** @description Ids of no user */
                        skipped: number;
                    };
                };
            };
        };
    };
    createBadge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBadge"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteBadges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BadgeDeletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    lookUpDefaultBadges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        value: string;
                    }[];
                };
            };
        };
    };
    listBadges: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "title" | "badgeIconUrl" | "points";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    title?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["BadgeRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Card"];
                };
            };
        };
    };
    updateCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCard"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteCards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listCards: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "last4" | "payment_gateway_name" | "card_type" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    last4?: string;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Card"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    updateCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createCart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCart"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteCarts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listCarts: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "total" | "display_total" | "currency" | "reminded_at" | "created_at" | "userId";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    reminded?: boolean;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Cart"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    lookUpCourseCategories: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    lookUpModuleCategories: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    lookUpProductCategories: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    lookUpQuestionCategories: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    lookUpUserCategories: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createCertificateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCertificateTemplate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getCertificateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateTemplate"];
                };
            };
        };
    };
    updateCertificateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateTemplateChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getCertificateBackground: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": Blob;
                    "image/png": Blob;
                };
            };
        };
    };
    deleteCertificateTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    lookUpCertificateFonts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        db_value: string;
                        display_value: string;
                        is_selected?: boolean;
                    }[];
                };
            };
        };
    };
    lookUpCertificateKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        db_value: string;
                        display_value: string;
                    }[];
                };
            };
        };
    };
    previewCertificateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": Blob;
                };
            };
        };
    };
    uploadCertificateBackground: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @description For a template's bg_url */
                        storage_url: string;
                    };
                };
            };
        };
    };
    lookUpCertificateTemplates: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                    }[];
                };
            };
        };
    };
    quickEditCertificateTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateTemplatesQuickEdit"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listCertificateTemplates: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    courseId?: number;
                    templateName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CertificateTemplateRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createClassRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewClassRecording"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteClassRecordings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    issueClassCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassCertificates"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether any was issued; spelled as the interface has it */
                        isSucess: boolean;
                        message: string;
                    };
                };
            };
        };
    };
    downloadClassCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": Blob;
                };
            };
        };
    };
    createClass: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewClass"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteClass: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    classId: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    deleteCourseClasses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    courseId: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    getClass: {
        parameters: {
            query: {
                classId: number;
                courseId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        classDetails: components["schemas"]["Class"];
                    };
                };
            };
        };
    };
    enrollInClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassEnrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enrolledUsersCount: number;
                        message: string;
                        notEnrolledUsers: {
                            id: number;
                            /** @description Empty for a user whom the caller may not know */
                            name: string;
                            reason: string;
                        }[];
                    };
                };
            };
        };
    };
    listClassStudents: {
        parameters: {
            query: {
                class_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "user_id" | "first_name" | "last_name" | "email" | "status" | "display_status" | "registered_on" | "last_accessed_on";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("Registered" | "Attended" | "No Show" | "Cancelled")[] | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseId: number;
                        courseName: string;
                        endDate: string;
                        endTime: string;
                        featuredImage: string | null;
                        locationId: number | null;
                        records: components["schemas"]["ClassStudent"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        startDate: string;
                        startTime: string;
                        /** @description The IANA time zone of the times beside it: the class's */
                        timeZone: string;
                        totalAttended: number;
                        totalCancelled: number;
                        totalNoShow: number;
                    };
                };
            };
        };
    };
    listClassSchedules: {
        parameters: {
            query?: {
                /** @description The sessions of one class */
                classId?: number;
                courseId?: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "startDate" | "endDate" | "startTime" | "endTime" | "timeZone" | "location_id" | "location" | "instructor_id" | "instructor" | "start_time" | "end_time" | "course_id" | "course_name";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Several, separated by commas */
                    dates?: string;
                    /** @description A part of its name, or its id */
                    location?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        classes: components["schemas"]["ClassSchedule"][];
                    };
                };
            };
        };
    };
    listCourseClasses: {
        parameters: {
            query: {
                course_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "startDate" | "endDate" | "startTime" | "endTime" | "timeZone" | "location" | "instructor" | "classSize";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Several, separated by commas */
                    dates?: string;
                    /** @description A part of its name, or its id */
                    instructor?: string;
                    /** @description A part of its name, or its id */
                    location?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseName: string;
                        featuredImage: string | null;
                        instructions: string;
                        records: components["schemas"]["CourseClass"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    removeFromClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassRemoval"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    reportClassInDetail: {
        parameters: {
            query: {
                class_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "user_id" | "first_name" | "last_name" | "email" | "status" | "display_status" | "registered_on" | "last_accessed_on" | "started_on" | "completed_on" | "notes" | "certificate_issued";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description The day on which the class ends, or the first and the last. Several, separated by commas */
                    completed_on?: string;
                    nameOrEmail?: string;
                    /** @description The day on which the class starts, or the first and the last. Several, separated by commas */
                    started_on?: string;
                    status?: ("Registered" | "Attended" | "No Show" | "Cancelled")[] | null;
                    /** @description One user of the class */
                    userIdActual?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseName: string;
                        records: components["schemas"]["ClassDetailedRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalAttended: number;
                        totalCancelled: number;
                        totalNoShow: number;
                        totalRegistered: number;
                    };
                };
            };
        };
    };
    getClassesOverview: {
        parameters: {
            query?: {
                /** @description Only this group's members */
                group_id?: number;
                /** @description Classes that start in this month: November 2026, Nov 2026 or 2026-11; else all of them */
                selectedMonth?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endDate: string[];
                        /** @description The courses' names, a class each, in the order of their starts */
                        labels: string[];
                        startDate: string[];
                        sumAttended: number;
                        sumCancelled: number;
                        sumNoShow: number;
                        sumRegistered: number;
                        timeZone: string[];
                        totalAttended: number[];
                        totalCancelled: number[];
                        totalNoShow: number[];
                        totalRegistered: number[];
                    };
                };
            };
        };
    };
    getClassWithMaterial: {
        parameters: {
            query: {
                /** @description The class enrollment's id */
                registrationId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyMaterial"];
                };
            };
        };
    };
    downloadStudyMaterial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/pdf": Blob;
                    "application/rtf": Blob;
                    "application/vnd.oasis.opendocument.presentation": Blob;
                    "application/vnd.oasis.opendocument.spreadsheet": Blob;
                    "application/vnd.oasis.opendocument.text": Blob;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": Blob;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Blob;
                    "application/x-7z-compressed": Blob;
                    "application/x-cfb": Blob;
                    "application/x-rar-compressed": Blob;
                    "application/x-tar": Blob;
                    "application/zip": Blob;
                    "audio/aac": Blob;
                    "audio/flac": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "audio/x-m4a": Blob;
                    "image/avif": Blob;
                    "image/bmp": Blob;
                    "image/gif": Blob;
                    "image/heic": Blob;
                    "image/heic-sequence": Blob;
                    "image/heif": Blob;
                    "image/heif-sequence": Blob;
                    "image/jpeg": Blob;
                    "image/png": Blob;
                    "image/tiff": Blob;
                    "image/webp": Blob;
                    "text/plain": Blob;
                    "video/matroska": Blob;
                    "video/mp4": Blob;
                    "video/mpeg": Blob;
                    "video/ogg": Blob;
                    "video/quicktime": Blob;
                    "video/vnd.avi": Blob;
                    "video/webm": Blob;
                    "video/x-m4v": Blob;
                };
            };
        };
    };
    viewStudyMaterial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/pdf": Blob;
                    "application/rtf": Blob;
                    "application/vnd.oasis.opendocument.presentation": Blob;
                    "application/vnd.oasis.opendocument.spreadsheet": Blob;
                    "application/vnd.oasis.opendocument.text": Blob;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": Blob;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Blob;
                    "application/x-7z-compressed": Blob;
                    "application/x-cfb": Blob;
                    "application/x-rar-compressed": Blob;
                    "application/x-tar": Blob;
                    "application/zip": Blob;
                    "audio/aac": Blob;
                    "audio/flac": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "audio/x-m4a": Blob;
                    "image/avif": Blob;
                    "image/bmp": Blob;
                    "image/gif": Blob;
                    "image/heic": Blob;
                    "image/heic-sequence": Blob;
                    "image/heif": Blob;
                    "image/heif-sequence": Blob;
                    "image/jpeg": Blob;
                    "image/png": Blob;
                    "image/tiff": Blob;
                    "image/webp": Blob;
                    "text/plain": Blob;
                    "video/matroska": Blob;
                    "video/mp4": Blob;
                    "video/mpeg": Blob;
                    "video/ogg": Blob;
                    "video/quicktime": Blob;
                    "video/vnd.avi": Blob;
                    "video/webm": Blob;
                    "video/x-m4v": Blob;
                };
            };
        };
    };
    uploadStudyMaterial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["StudyMaterialUpload"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        media_id: number;
                        message: string;
                        mime_type: string;
                        name: string;
                        storage_url: string;
                        /** @description The extension, as judged from the content */
                        type: string;
                    };
                };
            };
        };
    };
    listClasses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "course_name" | "start_time" | "end_time" | "timeZone" | "location" | "instructor" | "disabled";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    courseName?: string;
                    /** @description Several, separated by commas */
                    dates?: string;
                    /** @description A part of its name, or its id */
                    instructor?: string;
                    /** @description A part of its name, or its id */
                    location?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ClassRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    updateClass: {
        parameters: {
            query?: {
                /** @description As id in the body */
                classId?: number;
                /** @description As id in the body */
                id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateClassStatus: {
        parameters: {
            query: {
                classId?: number;
                /** @description The class enrollment's */
                id: number;
                status: "Registered" | "Attended" | "No Show" | "Cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getWebinar: {
        parameters: {
            query: {
                /** @description The class enrollment's id */
                registrationId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        display_status: "Registered" | "Attended" | "No Show" | "Cancelled";
                        /** @description Minutes, of one session */
                        duration: number;
                        /** @description In timeZone; of the session that is on, next or last */
                        endTime: string;
                        /** @description The course's, as HTML */
                        instructions: string;
                        instructor: string;
                        location: string;
                        /** @description The meeting's address without a credential; empty where there is none */
                        meetingUrl: string;
                        /** @description The course's name */
                        name: string;
                        recordings: components["schemas"]["ClassRecording"][];
                        /** @description Who holds it; empty: the class has no webinar */
                        serviceProvider: string;
                        /** @description In timeZone; of the session that is on, next or last */
                        startTime: string;
                        /** @enum {string} */
                        status: "Registered" | "Attended" | "No Show" | "Cancelled";
                        /** @description The IANA time zone of the times beside it: the class's */
                        timeZone: string;
                        webinarDetails: components["schemas"]["WebinarLaunch"];
                        /** @enum {string} */
                        webinarStatus: "Upcoming" | "Live" | "Ended";
                        /** @description As timeZone */
                        webinarTimezone: string;
                    };
                };
            };
        };
    };
    launchWebinar: {
        parameters: {
            query: {
                /** @description The class enrollment's id */
                registrationId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        provider: string;
                        webinarDetails: components["schemas"]["WebinarLaunch"];
                    };
                };
            };
        };
    };
    getCourse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"];
                };
            };
        };
    };
    updateCourse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CourseChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listAllSubmissions: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "status_row_id" | "module_id" | "module_name" | "module_type" | "first_name" | "last_name" | "email" | "submission_id" | "submitted_on" | "attempt" | "status" | "course_name";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("Submitted" | "Accepted" | "Returned" | "Closed")[] | null;
                    /** @enum {string|null} */
                    type?: "assignment" | "discussion" | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Submission"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    issueCourseCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateIssuing"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issued: number;
                        message: string;
                        /** @description Unknown, not Completed, without a template of their course, or with a certificate of it that still holds */
                        skipped: number;
                    };
                };
            };
        };
    };
    createCourse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCourse"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteCourses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    enrollUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Enrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alreadyEnrolled: number;
                        /** @description Pairs of a user and a course */
                        enrolled: number;
                        message: string;
                        /** @description Unknown users and courses, and those outside the caller's reach */
                        skipped: number;
                    };
                };
            };
        };
    };
    listCourseStudents: {
        parameters: {
            query: {
                course_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only the members of this group; empty: everyone whom the caller may see */
                group_id: number | string;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "status" | "registered_on" | "started_on" | "completed_on" | "expire_on" | "user_id" | "first_name" | "last_name" | "email" | "percentComplete" | "last_accessed_on";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseName: string;
                        featuredImage: string | null;
                        records: components["schemas"]["EnrolledStudent"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalCompleted: number;
                        totalInProgress: number;
                        totalNotStarted: number;
                    };
                };
            };
        };
    };
    listRegistrationModules: {
        parameters: {
            query: {
                registrationId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationModule"][];
                };
            };
        };
    };
    recertifyEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recertification"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    recordEnrollments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollmentRecords"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alreadyEnrolled: number;
                        /** @description Pairs of a user and a course */
                        enrolled: number;
                        message: string;
                        /** @description Unknown users and courses, and those outside the caller's reach */
                        skipped: number;
                    };
                };
            };
        };
    };
    reportCourseDays: {
        parameters: {
            query?: {
                /** @description The first and the last day, in UTC, 366 days at most: an array, a JSON array or a comma list; one day alone is that day. Else the 90 days that end with lastDay */
                between?: string[];
                /** @description One course; else all of them together */
                course_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseDays"];
                };
            };
        };
    };
    reportCourseInDetail: {
        parameters: {
            query: {
                course_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "status" | "registered_on" | "started_on" | "completed_on" | "expire_on" | "percent_complete" | "last_accessed_on" | "percent_achieved" | "total_time_spent" | "certifcate_issued" | "user_id" | "first_name" | "last_name" | "email";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number?: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseName: string;
                        featuredImage: string | null;
                        records: components["schemas"]["CourseDetailedRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalCompleted: number;
                        totalInProgress: number;
                        totalNotStarted: number;
                    };
                };
            };
        };
    };
    reportCourseModules: {
        parameters: {
            query: {
                course_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseModulesReport"];
                };
            };
        };
    };
    getCoursesOverview: {
        parameters: {
            query?: {
                group_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The courses' names */
                        labels: string[];
                        sumCompleted: number;
                        sumInProgress: number;
                        sumNotStarted: number;
                        totalCompleted: number[];
                        totalInProgress: number[];
                        totalNotStarted: number[];
                    };
                };
            };
        };
    };
    resetEnrollments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProgressReset"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        reset: number;
                        skipped: number;
                    };
                };
            };
        };
    };
    enrollSelf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelfEnrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alreadyEnrolled: boolean;
                        message: string;
                        registrationId: number;
                    };
                };
            };
        };
    };
    listCourseSubmissions: {
        parameters: {
            query: {
                course_id: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "status_row_id" | "module_id" | "module_name" | "module_type" | "first_name" | "last_name" | "email" | "submission_id" | "submitted_on" | "attempt" | "status" | "course_name";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("Submitted" | "Accepted" | "Returned" | "Closed")[] | null;
                    /** @enum {string|null} */
                    type?: "assignment" | "discussion" | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        courseName: string;
                        featuredImage: string | null;
                        records: components["schemas"]["CourseSubmission"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    unenrollUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Unenrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        notEnrolled: number;
                        unenrolled: number;
                    };
                };
            };
        };
    };
    listCourseCategories: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "count" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    categoryName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CategoryRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listGroupCourses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                group_id: number;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        name: string;
                        total_seats: number;
                        used_seats: number;
                    }[];
                };
            };
        };
    };
    lookUpCourseLocations: {
        parameters: {
            query?: {
                /** @description Of every course unless given */
                course_id?: number;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                group_id?: number;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["CourseLocation"];
                    };
                };
            };
        };
    };
    listCourses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "status" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Ids, separated by commas */
                    courseCategoryIds?: string;
                    courseName?: string;
                    /** @enum {string|null} */
                    status?: "draft" | "publish" | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CourseRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    lookUpCredentialGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CredentialGroup"][];
                        /** @description false: no provider, or no key of this service's own, is configured */
                        isEnabled: boolean;
                    };
                };
            };
        };
    };
    validateCredentialKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An API key of the provider */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /**
                         * @description error: the provider refuses the key, or there is none
                         * @enum {string}
                         */
                        status: "success" | "error";
                    };
                };
            };
        };
    };
    getDefaultAddress: {
        parameters: {
            query: {
                type: "billing_address" | "shipping_address";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"];
                };
            };
        };
    };
    getDiagnostics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnostics"];
                };
            };
        };
    };
    resendNewAccountEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In whose name the mail is sent */
                    portalId?: number;
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The cursor of the previous answer; without it the feed begins with the oldest event */
                after?: string;
                page_size?: number;
                /** @description Only events of these types; all unless given */
                types?: ("user.created" | "user.erased" | "enrollment.created" | "enrollment.completed" | "quiz.submitted" | "assignment.submitted" | "assignment.evaluated" | "assignment.rejected" | "order.created" | "order.pending" | "order.failed" | "order.refused" | "announcement.created" | "certificate.issued" | "class.enrolled" | "export.completed")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The next request's `after`, also when there are no events */
                        cursor: string;
                        events: components["schemas"]["Event"][];
                    };
                };
            };
        };
    };
    getGamificationEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GamificationEvent"];
                };
            };
        };
    };
    updateGamificationEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GamificationEventChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createGamificationEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGamificationEvent"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteGamificationEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listGamificationEvents: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "type" | "targetId" | "badgeId" | "points" | "active" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["GamificationEvent"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"];
                };
            };
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGroup"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "created_at" | "user_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            created_at: string;
                            id: number;
                            name: string;
                            /** @description Its members; users/tabularlist with group_id lists them */
                            user_count: number;
                        }[];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobState"];
                };
            };
        };
    };
    exportUserReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                    group_id?: number;
                    /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                    portalId?: number;
                    search_param?: {
                        /** @description A part of the course's name */
                        course?: string;
                        /** @description One course */
                        courseId?: number;
                        nameOrEmail?: string;
                        portalId?: number;
                        searchPortalIds?: number[];
                        status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                    } | null;
                    /** @description Only members of any of these portals */
                    searchPortalIds?: number[];
                    /** @description One user's registrations; else those of everyone whom the caller may see */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportInitiated"];
                };
            };
        };
    };
    cancelUserReportExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelled"];
                };
            };
        };
    };
    downloadUserReportExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    getUserReportExportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportProgress"];
                };
            };
        };
    };
    getLearningPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LearningPath"];
                };
            };
        };
    };
    updateLearningPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LearningPathChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createLearningPath: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLearningPath"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteLearningPaths: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    enrollUsersInLearningPaths: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LearningPathEnrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alreadyEnrolled: number;
                        /** @description Registrations made in the paths' courses */
                        coursesEnrolled: number;
                        /** @description Pairs of a user and a path */
                        enrolled: number;
                        message: string;
                        /** @description Pairs whose user or path is unknown */
                        skipped: number;
                    };
                };
            };
        };
    };
    listLearningPaths: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "featuredImageUrl" | "totalLPCourses" | "estimatedMinutes" | "rating" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                    /** @enum {string|null} */
                    type?: "public" | "private" | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["LearningPathRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    unenrollUsersFromLearningPaths: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LearningPathEnrollment"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        notEnrolled: number;
                        unenrolled: number;
                    };
                };
            };
        };
    };
    getLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
        };
    };
    updateLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocationChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createLocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLocation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteLocations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listLocations: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "addressLine1" | "addressLine2" | "city" | "state" | "zipcode" | "country" | "capacity" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Location"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    getMembership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
        };
    };
    updateMembership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createMembership: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMembership"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteMemberships: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listMemberships: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "expiresAfterDays" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["MembershipRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listMembershipContents: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "description" | "created_at" | "type" | "featuredImageUrl";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrDescription?: string;
                    /**
                     * @description course unless given
                     * @enum {string|null}
                     */
                    type?: "course" | "modules" | null;
                };
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["MembershipContent"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    openAssignment: {
        parameters: {
            query: {
                moduleId: number;
                /** @description The learner must belong to it */
                portalId?: number;
                registrationId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignmentDetails"];
                };
            };
        };
    };
    evaluateAssignment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignmentEvaluation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @enum {string} */
                        status: "Not Started" | "In Progress" | "Submitted" | "Completed";
                    };
                };
            };
        };
    };
    recordSubmissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordedAssignmentSubmissions"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the same registration, assignment and submitted_on */
                        alreadyRecorded: number;
                        message: string;
                        recorded: number;
                        /** @description No such registration, or no assignment of its course */
                        skipped: number;
                    };
                };
            };
        };
    };
    getSubmission: {
        parameters: {
            query: {
                statusRowId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignmentSubmissions"];
                };
            };
        };
    };
    submitAssignment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAssignmentSubmission"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempt: number;
                        message: string;
                        /** @enum {string} */
                        status: "Not Started" | "In Progress" | "Submitted" | "Completed";
                        statusRowId: number;
                        submission_id: number;
                    };
                };
            };
        };
    };
    uploadAssignmentFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AssignmentUpload"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes: number;
                        file_name: string;
                        /** @description By the file's content */
                        mime_type: string;
                        storage_url: string;
                    };
                };
            };
        };
    };
    downloadAssignmentFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/pdf": Blob;
                    "application/rtf": Blob;
                    "application/vnd.oasis.opendocument.presentation": Blob;
                    "application/vnd.oasis.opendocument.spreadsheet": Blob;
                    "application/vnd.oasis.opendocument.text": Blob;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": Blob;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Blob;
                    "application/x-7z-compressed": Blob;
                    "application/x-cfb": Blob;
                    "application/x-rar-compressed": Blob;
                    "application/x-tar": Blob;
                    "application/zip": Blob;
                    "audio/aac": Blob;
                    "audio/flac": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "audio/x-m4a": Blob;
                    "image/avif": Blob;
                    "image/bmp": Blob;
                    "image/gif": Blob;
                    "image/heic": Blob;
                    "image/heic-sequence": Blob;
                    "image/heif": Blob;
                    "image/heif-sequence": Blob;
                    "image/jpeg": Blob;
                    "image/png": Blob;
                    "image/tiff": Blob;
                    "image/webp": Blob;
                    "text/plain": Blob;
                    "video/matroska": Blob;
                    "video/mp4": Blob;
                    "video/mpeg": Blob;
                    "video/ogg": Blob;
                    "video/quicktime": Blob;
                    "video/vnd.avi": Blob;
                    "video/webm": Blob;
                    "video/x-m4v": Blob;
                };
            };
        };
    };
    recordProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Progress"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        statusRowId: number;
                    };
                };
            };
        };
    };
    recordModuleStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProgressRecords"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alreadyRecorded: number;
                        message: string;
                        recorded: number;
                        /** @description Unknown registrations, and modules that are not in their course */
                        skipped: number;
                    };
                };
            };
        };
    };
    listModuleCategories: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "count" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    categoryName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CategoryRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listAssignmentModules: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "icon" | "isLocked" | "estimatedCompletion" | "estimationCompletedUnit" | "created_at" | "course_count" | "submissionType" | "display_type" | "totalPoints" | "allowed_filetypes" | "maxUploadSize";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    associatedCourse?: string;
                    moduleName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["AssignmentModuleRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createAssignmentModule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAssignmentModule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getAssignmentModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignmentModule"];
                };
            };
        };
    };
    updateAssignmentModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignmentModuleChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listQuizModules: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "icon" | "isLocked" | "estimatedCompletion" | "estimationCompletedUnit" | "created_at" | "course_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    associatedCourse?: string;
                    moduleName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ModuleRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createQuizModule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuizModule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getQuizModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuizModule"];
                };
            };
        };
    };
    updateQuizModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuizModuleChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listScormModules: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "icon" | "isLocked" | "estimatedCompletion" | "estimationCompletedUnit" | "created_at" | "course_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    associatedCourse?: string;
                    moduleName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ModuleRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createScormModule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["NewScormModule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getScormModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScormModule"];
                };
            };
        };
    };
    updateScormModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScormModuleChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    replaceScormPackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ScormPackage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listTextModules: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "icon" | "isLocked" | "estimatedCompletion" | "estimationCompletedUnit" | "created_at" | "course_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    associatedCourse?: string;
                    moduleName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ModuleRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createTextModule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTextModule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getTextModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextModule"];
                };
            };
        };
    };
    updateTextModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextModuleChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listVideoModules: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "type" | "icon" | "isLocked" | "estimatedCompletion" | "estimationCompletedUnit" | "created_at" | "course_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    associatedCourse?: string;
                    moduleName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ModuleRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    createVideoModule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVideoModule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getVideoModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoModule"];
                };
            };
        };
    };
    updateVideoModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoModuleChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "total" | "display_total" | "currency" | "status" | "display_status" | "created_at" | "userId";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    nameOrEmail?: string;
                    status?: ("pending" | "completed" | "refunded" | "failed")[] | null;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Order"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getPortal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Portal"];
                };
            };
        };
    };
    updatePortal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPortal"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deletePortals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listPortals: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "portalType" | "status" | "totalSeat" | "expiryDate" | "created_at" | "member_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                    portalType?: string;
                    /** @enum {string|null} */
                    status?: "active" | "inactive" | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            created_at: string;
                            expiryDate: string | null;
                            id: number;
                            /** @description Its learners; users/tabularlist with portalId lists them */
                            member_count: number;
                            name: string;
                            portalType: string;
                            slug: string;
                            /** @enum {string} */
                            status: "active" | "inactive";
                            totalSeat: number;
                        }[];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listProductCategories: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "count" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    categoryName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CategoryRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listQuestionCategories: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "count" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    categoryName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CategoryRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    reportQuizScores: {
        parameters: {
            query: {
                course_id: number;
                /** @description A quiz */
                module_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuizScores"];
                };
            };
        };
    };
    downloadQuizReport: {
        parameters: {
            query?: {
                /** @description The learner must belong to it */
                portalId?: number;
                /** @description Must be the learner's id */
                studentId?: number;
            };
            header?: never;
            path: {
                statusRowId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    beginQuizAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuizAttempt"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuizAttempt"];
                };
            };
        };
    };
    recordQuizAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordedQuizAttempts"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the same registration, quiz and submitted_on */
                        alreadyRecorded: number;
                        message: string;
                        recorded: number;
                        /** @description No such registration, or no quiz of its course */
                        skipped: number;
                    };
                };
            };
        };
    };
    submitQuizAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuizSubmission"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuizResult"];
                };
            };
        };
    };
    getReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    updateReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createReview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReview"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteReviews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "userId" | "courseId" | "rating" | "created_at" | "text";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    courseId?: number;
                    rating?: number;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Review"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    downloadScormActivityReport: {
        parameters: {
            query?: {
                /** @description The learner must belong to it */
                portalId?: number;
                /** @description Must be the learner's id */
                studentId?: number;
            };
            header?: never;
            path: {
                modulesStatusId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    downloadScormReport: {
        parameters: {
            query?: {
                /** @description The learner must belong to it */
                portalId?: number;
                /** @description Must be the learner's id */
                studentId?: number;
            };
            header?: never;
            path: {
                modulesStatusId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    commitScorm: {
        parameters: {
            query?: {
                moduleId?: number;
                registrationId?: number;
                /** @description As the launch's commit_url has it */
                session?: string;
                /** @description Where none exists yet (-1): registrationId and moduleId */
                statusRowId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScormCommit"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScormCommitted"];
                };
            };
        };
    };
    launchScorm: {
        parameters: {
            query?: {
                moduleId?: number;
                registrationId?: number;
                /** @description Where none exists yet (-1): registrationId and moduleId */
                statusRowId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScormLaunch"];
                };
            };
        };
    };
    sendCartReminder: {
        parameters: {
            query: {
                /** @description The cart */
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    signOutDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "device" | "created_at" | "expires_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: Record<string, unknown>;
                /** @description An administrator names whose; the caller's own unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Device"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoProvider"];
                };
            };
        };
    };
    updateSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoProviderChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSsoProvider"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteSignInProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listSignInProviders: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "slug" | "issuer" | "clientId" | "scopes" | "create" | "force" | "active" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description A portal's providers */
                    portalId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["SsoProvider"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    unlinkSsoUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoUnlinking"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listStudentAnnouncements: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "heading" | "created_at" | "content";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    heading?: string;
                };
                /** @description How the client shows them, as in saveViewType; the records are the same in each */
                viewType?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The caller's: an image's URL or their initials */
                        avatar: string;
                        records: components["schemas"]["OwnAnnouncementRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscription"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "subscription_name" | "status" | "total" | "created_at" | "start_date" | "end_date" | "userId" | "currency" | "cardId" | "item";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    status?: ("Active" | "Cancelled" | "Expired")[] | null;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Subscription"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    updateCertificateDates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateDates"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateCertificateIssueDate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateIssueDate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listUserActivities: {
        parameters: {
            query: {
                /** @description user (or learner, student): the caller's own; else of everyone whom the caller may see. search_param may hold it instead */
                context: string;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "verb" | "created_at" | "course";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    context?: string;
                    /** @description Ids, separated by commas */
                    courseCategoryIds?: string;
                    courseName?: string;
                    portalId?: number;
                    /** @description Verbs (ENROLLED, STARTED, COMPLETED, RESET, UNENROLLED), or the progress status that one leads to */
                    status?: ("ENROLLED" | "STARTED" | "COMPLETED" | "RESET" | "UNENROLLED")[] | null;
                };
                /** @description The caller unless given; under context admin, everyone whom the caller may see */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        avatar: string;
                        email: string;
                        /** @description Of the user named, or else of the caller; empty without either */
                        name: string;
                        records: components["schemas"]["Activity"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    downloadCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": Blob;
                };
            };
        };
    };
    listUserCertificates: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "courseId" | "userId" | "templateId" | "courseName" | "issueDate";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description active: those that hold; expired: those that do not any more; anything else: all of them */
                return_type?: string;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    courseId?: number;
                    courseName?: string;
                    portalId?: number;
                };
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserCertificate"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserConsent"];
                };
            };
        };
    };
    updateConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConsent"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteConsents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listConsents: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "consentDate" | "consentId" | "country" | "ipAddress" | "status" | "userId" | "createdAt";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @enum {string|null} */
                    status?: "accepted" | "rejected" | null;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserConsent"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listUserConsents: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "consentDate" | "consentId" | "country" | "ipAddress" | "status" | "userId" | "createdAt";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @enum {string|null} */
                    status?: "accepted" | "rejected" | null;
                    userId?: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        total: number;
                        userConsents: components["schemas"]["UserConsent"][];
                    };
                };
            };
        };
    };
    getTwoFactorState: {
        parameters: {
            query?: {
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorState"];
                };
            };
        };
    };
    listUserOrders: {
        parameters: {
            query: {
                /** @description user (or learner, student): the caller's own, without user_id; else all that the caller may see */
                context?: string;
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "total" | "display_total" | "currency" | "status" | "display_status" | "created_at" | "userId";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    status?: ("pending" | "completed" | "refunded" | "failed")[] | null;
                };
                /** @description Left out: all that the caller may see */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the user named, or else of the caller; empty without either */
                        avatar: string;
                        /** @description Of the newest order; of USD where there is none */
                        currencySymbol: string;
                        records: components["schemas"]["UserOrder"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    lookUpUserSources: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                /** @description Taken for older clients: every portal has the same sources */
                portalId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserSource"][];
                    };
                };
            };
        };
    };
    getUserSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSource"];
                };
            };
        };
    };
    updateUserSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserSourceChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    createUserSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUserSource"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    deleteUserSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    listUserSources: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "identifier" | "description" | "logoUrl";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Unique; letters, digits, - and _, kept in lower case */
                    identifier?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserSource"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listUserSubscriptions: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "subscription_name" | "status" | "total" | "created_at" | "start_date" | "end_date" | "item";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    status?: ("Active" | "Cancelled" | "Expired")[] | null;
                };
                /** @description Left out: all that the caller may see */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["SubscriptionRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    addUserAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddress"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    deleteUserCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CertificateDeletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateUserMembership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listUserBadges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserBadge"][];
                };
            };
        };
    };
    updateEmailRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockedEmailsAndDomainsChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    bulkUploadUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpload"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUploadAnswer"];
                };
            };
        };
    };
    getBulkUploadProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUploadProgress"];
                };
            };
        };
    };
    reportUserClasses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "user_id" | "name" | "email" | "courseName" | "start_time" | "end_time" | "timeZone" | "status" | "display_status" | "registered_on" | "last_accessed_on" | "certificate_issued";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description The day on which the class ends, or the first and the last. Several, separated by commas */
                    completed_on?: string;
                    /** @description A part of the course's name */
                    course?: string;
                    /** @description The day on which the class starts, or the first and the last. Several, separated by commas */
                    started_on?: string;
                    status?: ("Registered" | "Attended" | "No Show" | "Cancelled")[] | null;
                };
                /** @description One user's classes; else those of everyone whom the caller may see */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserClassReportRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalAttended: number;
                        totalCancelled: number;
                        /** @description Spelled as the interface has it */
                        totalNoshow: number;
                        totalRegistered: number;
                    };
                };
            };
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As prepare answered it */
                    qrCode: string;
                    /** @description The code that the app shows */
                    secretCode: string;
                    /** @description As prepare answered it */
                    stringCode: string;
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @description Ten codes for sign-in without the app, each good once. Shown here alone. */
                        recoveryCodes: string[];
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    getDashboardStatistics: {
        parameters: {
            query?: {
                /** @description The user must belong to it */
                portalId?: number;
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        completed: number;
                        completedCourses: number;
                        inProgress: number;
                        inProgressCourses: number;
                        notStarted: number;
                        notStartedCourses: number;
                        studentName: string;
                        timeSpent: {
                            hours: number;
                            minutes: number;
                            seconds: number;
                            totalSeconds: number;
                        };
                        total: number;
                        totalCourses: number;
                    };
                };
            };
        };
    };
    deleteUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    delete_ids: number[];
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"] & {
                        deletedStudents: {
                            id: number;
                            name: string;
                        }[];
                        notDeletedStudents: {
                            id: number;
                            name: string;
                        }[];
                        /** @description Records by the user's name */
                        usedAsCourseAuthors: {
                            [key: string]: {
                                id: number;
                                name: string;
                            }[];
                        };
                        /** @description Classes, by their course's name */
                        usedAsInstructors: {
                            [key: string]: {
                                id: number;
                                name: string;
                            }[];
                        };
                        /** @description Records by the user's name */
                        usedAsModuleAuthors: {
                            [key: string]: {
                                id: number;
                                name: string;
                            }[];
                        };
                        /** @description Records by the user's name */
                        usedInCourses: {
                            [key: string]: {
                                id: number;
                                name: string;
                            }[];
                        };
                        /** @description Records by the user's name */
                        usedInPortals: {
                            [key: string]: {
                                id: number;
                                name: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    deleteSavedCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paymentTokenId: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        qrcode: null;
                        stringcode: null;
                    };
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewErasure"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureBegun"];
                };
            };
        };
    };
    getErasureProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureProgress"];
                };
            };
        };
    };
    getEmailRules: {
        parameters: {
            query?: {
                /** @description The lists of this portal; those that hold everywhere unless given */
                portalId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedEmailsAndDomains"];
                };
            };
        };
    };
    getBulkUploadSample: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        headers: string[];
                        records: {
                            [key: string]: string;
                        }[];
                    };
                };
            };
        };
    };
    exportGradebook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                    group_id?: number;
                    /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                    portalId?: number;
                    search_param?: {
                        /** @description A part of the course's name */
                        course?: string;
                        /** @description One course */
                        courseId?: number;
                        nameOrEmail?: string;
                        portalId?: number;
                        searchPortalIds?: number[];
                        status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                    } | null;
                    /** @description Only members of any of these portals */
                    searchPortalIds?: number[];
                    /** @description One user's registrations; else those of everyone whom the caller may see */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportInitiated"];
                };
            };
        };
    };
    cancelGradebookExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelled"];
                };
            };
        };
    };
    downloadGradebookExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    getGradebookExportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportProgress"];
                };
            };
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                page_size?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
        };
    };
    exportLearnerQuizzes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                    group_id?: number;
                    /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                    portalId?: number;
                    search_param?: {
                        /** @description One course */
                        courseId?: number;
                        nameOrEmail?: string;
                        portalId?: number;
                        searchPortalIds?: number[];
                        status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                    } | null;
                    /** @description Only members of any of these portals */
                    searchPortalIds?: number[];
                    /** @description Of this user, with the quizzes not tried; a learner's own always */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportInitiated"];
                };
            };
        };
    };
    cancelLearnerQuizzesExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelled"];
                };
            };
        };
    };
    downloadLearnerQuizzesExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    getLearnerQuizzesExportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportProgress"];
                };
            };
        };
    };
    exportPersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PersonalDataExport"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportInitiated"];
                };
            };
        };
    };
    cancelPersonalDataExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelled"];
                };
            };
        };
    };
    downloadPersonalDataExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    getPersonalDataExportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportProgress"];
                };
            };
        };
    };
    createUserPortals: {
        parameters: {
            query?: {
                /** @description The portal to clone from */
                portalId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalCreate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listUserPortals: {
        parameters: {
            query?: {
                /** @description Only portals of this portalType, or where the user is of this type, such as portal_admin or general */
                type?: string;
                /** @description The caller unless given */
                userId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        baseUrl: string;
                        portals: components["schemas"]["UserPortal"][];
                        /** @description The logo of the first of these portals that has one, else the service's */
                        siteLogo: string;
                    };
                };
            };
        };
    };
    prepareTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description SVG markup */
                        as_qr_code: string;
                        /** @description The secret, in Base32 */
                        as_string: string;
                        as_uri: string;
                    };
                };
            };
        };
    };
    quickEditUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Courses to enroll them in */
                    course_ids?: number[];
                    disabled: boolean;
                    /** @description A membership to give them */
                    enrollMembershipId?: number;
                    /** @description Learning paths to enroll them in, with their courses */
                    learning_path_ids?: number[];
                    /** @description Only members of this portal are touched */
                    portalId?: number;
                    user_ids: number[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    reportQuizzes: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "attemptId" | "user_id" | "courseId" | "moduleId" | "status_row_id" | "attempt" | "status" | "started_on" | "completed_on" | "time_taken" | "score" | "outOf" | "percent" | "result";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description One course */
                    courseId?: number;
                    nameOrEmail?: string;
                    portalId?: number;
                    /** @description Ids, separated by commas */
                    searchPortalIds?: string;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
                /** @description Only members of any of these portals */
                searchPortalIds?: number[];
                /** @description Of this user, with the quizzes not tried; a learner's own always */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["LearnerQuiz"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalCompleted: number;
                        totalInProgress: number;
                        totalNotStarted: number;
                        /** @description Of user_id; empty without it */
                        userDetails: {
                            avatar?: string;
                            email?: string;
                            id?: number;
                            name?: string;
                            userType?: string;
                        };
                    };
                };
            };
        };
    };
    reportUserInDetail: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "status" | "registered_on" | "started_on" | "completed_on" | "expire_on" | "percent_complete" | "last_accessed_on" | "percent_achieved" | "total_time_spent" | "certifcate_issued" | "courseName" | "user_id" | "name" | "email";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description A part of the course's name */
                    course?: string;
                    /** @description One course */
                    courseId?: number;
                    nameOrEmail?: string;
                    portalId?: number;
                    /** @description Ids, separated by commas */
                    searchPortalIds?: string;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
                /** @description Only members of any of these portals */
                searchPortalIds?: number[];
                /** @description One user's registrations; else those of everyone whom the caller may see */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserDetailedRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totalCompleted: number;
                        totalInProgress: number;
                        totalNotStarted: number;
                    };
                };
            };
        };
    };
    listSavedCards: {
        parameters: {
            query?: {
                /** @description The caller's own when left out */
                userId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCard"][];
                };
            };
        };
    };
    updateAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    confirmPassword?: string;
                    /**
                     * Format: password
                     * @description An extension: the caller's present password. Where callers change their own email address or password, it is required with a session cookie, and with a bearer token where REQUIRE_CURRENT_PASSWORD is on; else it is checked when given. Ten wrong ones in 15 minutes close the account's sign-in
                     */
                    current_password?: string;
                    /**
                     * Format: password
                     * @description An extension: the caller's present password. Where callers change their own email address or password, it is required with a session cookie, and with a bearer token where REQUIRE_CURRENT_PASSWORD is on; else it is checked when given. Ten wrong ones in 15 minutes close the account's sign-in
                     */
                    currentPassword?: string;
                    /** Format: password */
                    password: string;
                    userId?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listBillingAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"][];
                };
            };
        };
    };
    bulkUploadUsersFromSpreadsheet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["BulkUploadSpreadsheet"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUploadAnswer"];
                };
            };
        };
    };
    listShippingAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"][];
                };
            };
        };
    };
    listUserCategories: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "name" | "count" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    categoryName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CategoryRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    canDeleteCustomField: {
        parameters: {
            query: {
                /** @description The custom field, as members or as JSON: its userMetaKey, or else its label, says which */
                fieldToDelete: {
                    label?: string;
                    userMetaKey?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canDeleteField: boolean;
                        certificateTemplates: {
                            id: number;
                            name: string;
                        }[];
                        message: string;
                    };
                };
            };
        };
    };
    listUserClassSessions: {
        parameters: {
            query: {
                /** @description Two dates, at most 92 days apart. Without an offset they are of the academy's zone. */
                dates: string[];
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["UserClassSession"][];
                    };
                };
            };
        };
    };
    listRegistrationFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: components["schemas"]["CustomUserField"][];
                    };
                };
            };
        };
    };
    listCustomFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: components["schemas"]["CustomUserField"][];
                    };
                };
            };
        };
    };
    replaceCustomFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    fields: components["schemas"]["NewCustomUserField"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
        };
    };
    lookUpCustomFieldReports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        db_value: string;
                        display_value: string;
                    }[];
                };
            };
        };
    };
    listEnrolledClasses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "classId" | "title" | "courseId" | "status" | "display_status" | "registered_on" | "last_accessed_on" | "startDate" | "startTime" | "endDate" | "endTime" | "start" | "end" | "timeZone";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    course_id?: number;
                    status?: ("Registered" | "Attended" | "No Show" | "Cancelled")[] | null;
                };
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserClassEnrollment"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listEnrolledCourses: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description false: published courses alone, as the learner's own page shows them; else drafts too. Also in search_param */
                manage_course?: boolean;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "status" | "registered_on" | "started_on" | "completed_on" | "expire_on" | "courseId" | "courseSlug" | "courseName" | "courseStatus" | "lastAccessed" | "display_status" | "percentComplete" | "estimatedCompletionTime" | "certificate_count";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    courseId?: number;
                    manage_course?: boolean;
                    /** @description A part of the course's name, or of the user's own */
                    nameOrEmail?: string;
                    portalId?: number;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
                user_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        avatar: string;
                        email: string;
                        isLearner: boolean;
                        name: string;
                        records: components["schemas"]["EnrolledCourse"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        userType: string;
                    };
                };
            };
        };
    };
    listEnrolledLearningPaths: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "learningPathName" | "status" | "display_status" | "percentComplete" | "registered_on" | "started_on" | "completed_on" | "certificateCount" | "totalLPCourses" | "completedLpCourses" | "totalEstimatedTime";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description A part of the path's name, or of the user's own */
                    nameOrEmail?: string;
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
                /** @description The caller unless given */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        avatar: string;
                        email: string;
                        name: string;
                        records: components["schemas"]["EnrolledLearningPath"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        userType: string;
                    };
                };
            };
        };
    };
    exportUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                    group_id?: number;
                    /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                    portalId?: number;
                    search_param?: {
                        courseCategoryIds?: number[];
                        courseName?: string;
                        membershipId?: number;
                        nameOrEmail?: string;
                        userCategoryId?: number[];
                        userType?: string;
                    } | null;
                    /** @description Only members of any of these portals */
                    searchPortalIds?: number[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportInitiated"];
                };
            };
        };
    };
    cancelUsersExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelled"];
                };
            };
        };
    };
    downloadUsersExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Blob;
                };
            };
        };
    };
    getUsersExportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportProgress"];
                };
            };
        };
    };
    lookUpCustomFieldTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        db_value: string;
                        display_value: string;
                    }[];
                };
            };
        };
    };
    listUsersByType: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                portalId?: number;
                userType?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            id: number;
                            name: string;
                        }[];
                    };
                };
            };
        };
    };
    listLibraryCourses: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "courseName" | "courseSlug" | "featuredImageUrl" | "totalModules" | "estimatedCompletionTime" | "enableCourseRating" | "rating" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Ids, separated by commas */
                    courseCategoryIds?: string;
                    courseName?: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["LibraryCourse"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    listLibraryLearningPaths: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "learningPathId" | "type" | "learningPathName" | "totalLPCourses" | "rating" | "totalEstimatedTime";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                    /** @description The caller's; Not Started where they are not enrolled */
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["LibraryLearningPath"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    lookUpUsers: {
        parameters: {
            query?: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                page_number?: number;
                /** @description All rows unless given, up to 5000: where there are more it is required (422) */
                page_size?: number;
                portalId?: number;
                /** @description Taken for older clients; the search always runs on the server */
                remote_user_search?: boolean;
                search_term?: string;
                userType?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            email: string;
                            full_name: string;
                            id: number;
                            /** @description As the filter takes it; a learner's is learner */
                            user_type: string;
                        }[];
                    };
                };
            };
        };
    };
    listPortalLearningPaths: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "learningPathId" | "type" | "learningPathName" | "totalLPCourses" | "rating" | "totalEstimatedTime";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    name?: string;
                    /** @description The caller's; Not Started where they are not enrolled */
                    status?: ("Not Started" | "In Progress" | "Completed")[] | null;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        learningPaths: components["schemas"]["PortalLearningPath"][];
                        recordsFiltered: number;
                        totalRecords: number;
                    };
                };
            };
        };
    };
    reportUsers: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "created_at" | "first_name" | "last_name" | "email" | "user_type" | "last_login" | "id";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description The first and the last day, or two times: an array, a JSON array or a comma list */
                registered_between?: string[];
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UsersReportRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                        totals: {
                            /** @description Of them, those made between the given times */
                            registered: number;
                            /** @description Whom the caller may see */
                            users: number;
                        };
                    };
                };
            };
        };
    };
    saveViewType: {
        parameters: {
            query: {
                type: string;
                userId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "first_name" | "last_name" | "is_disabled" | "email" | "avatar" | "user_type" | "display_user_type" | "display_type" | "created_at" | "last_login";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: {
                    /** @description Ids, separated by commas */
                    courseCategoryIds?: string;
                    courseName?: string;
                    membershipId?: number;
                    nameOrEmail?: string;
                    /** @description Ids, separated by commas */
                    userCategoryId?: string;
                    userType?: string;
                };
                /** @description Only members of any of these portals */
                searchPortalIds?: number[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["UserRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    updateUserClassStatus: {
        parameters: {
            query: {
                classId?: number;
                /** @description The class enrollment's */
                id: number;
                status: "Registered" | "Attended" | "No Show" | "Cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateWebinarNotes: {
        parameters: {
            query: {
                /** @description Class enrollments' ids, a JSON array */
                ids: number[];
                /** @description Empty: takes the notes away */
                notes: string;
                /** @description Only those of this portal's members */
                portalId?: number;
                /** @description Only those of this class */
                webinarId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    updateWebinarStatus: {
        parameters: {
            query: {
                /** @description Class enrollments' ids, a JSON array */
                ids: number[];
                /** @description Only those of this portal's members */
                portalId?: number;
                status: "Registered" | "Attended" | "No Show" | "Cancelled";
                /** @description Only those of this class */
                webinarId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getViewType: {
        parameters: {
            query?: {
                /** @description The caller unless given */
                userId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description As saveViewType kept it; null: never saved */
                        type: string | null;
                        userId: number;
                    };
                };
            };
        };
    };
    lookUpUserTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        db_value: string;
                        display_name: string;
                    }[];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Created"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The cursor of the answer before; without it the newest come first */
                before?: string;
                page_size?: number;
                status?: "delivered" | "waiting" | "failed";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What to send as `before` next; null: these are the last */
                        cursor: string | null;
                        deliveries: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    deleteWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    redeliverEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query: {
                /** @description From the Link header: continues from the row itself, at constant cost */
                cursor?: string;
                /** @description Only what belongs to this group; without effect on a list of what no portal or group has of its own */
                group_id?: number;
                /** @description As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone */
                order_by?: {
                    /** @enum {string} */
                    colName?: "id" | "url" | "concurrency" | "created_at";
                    /**
                     * @default asc
                     * @enum {string|null}
                     */
                    direction?: "asc" | "desc" | null;
                };
                page_number: number;
                page_size: number;
                /** @description Only what belongs to this portal; without effect on a list of what no portal or group has of its own */
                portalId?: number;
                /** @description As search_param[key], or all keys in one JSON object. Unknown keys are ignored. */
                search_param?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["WebhookRow"][];
                        /** @description What the search finds */
                        recordsFiltered: number;
                        /** @description What the caller may see, before the search */
                        recordsTotal: number;
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    verifyCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    showCoursePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the link */
                    token: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Of the link */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The address is the user's now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    showOwnLearning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    showLearningPathPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description With two-factor on: the authenticator's code, or a recovery code */
                    code?: string;
                    /** @description What the device is called: JSON also answers a refresh token, for `/session/refresh` */
                    device?: string;
                    /** Format: email */
                    email: string;
                    /** @description Where a form goes on to: a path of this origin */
                    next?: string;
                    /** Format: password */
                    password: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description With two-factor on: the authenticator's code, or a recovery code */
                    code?: string;
                    /** @description What the device is called: JSON also answers a refresh token, for `/session/refresh` */
                    device?: string;
                    /** Format: email */
                    email: string;
                    /** @description Where a form goes on to: a path of this origin */
                    next?: string;
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        expiresAt: string;
                        /** @description For `/session/refresh`, once and within 30 days */
                        refreshToken?: string;
                        /** @description For `Authorization: Bearer`; 12 hours */
                        token: string;
                        user: {
                            email: string;
                            firstName: string;
                            id: number;
                            lastName: string;
                            userType: string;
                        };
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ends all of the user's sessions */
                    everywhere?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Ends all of the user's sessions */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description Signed out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    exchangeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenAnswer"];
                };
            };
        };
    };
    requestPasswordLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description Of the account
                     */
                    email: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description Of the account
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The call was taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It works */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The last one that the device was given */
                    refreshToken: string;
                };
            };
        };
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        expiresAt: string;
                        /** @description For `/session/refresh`, once and within 30 days */
                        refreshToken: string;
                        /** @description For `Authorization: Bearer`; 12 hours */
                        token: string;
                        user: {
                            email: string;
                            firstName: string;
                            id: number;
                            lastName: string;
                            userType: string;
                        };
                    };
                };
            };
        };
    };
    setPasswordByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    password_confirmation?: string;
                    /** @description Of the link */
                    token: string;
                };
                "application/x-www-form-urlencoded": {
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    password_confirmation?: string;
                    /** @description Of the link */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The password is set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
                "application/x-www-form-urlencoded": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description The call was taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    confirmSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    password_confirmation?: string;
                    /** @description Of the link */
                    token: string;
                };
                "application/x-www-form-urlencoded": {
                    /** Format: password */
                    password: string;
                    /** Format: password */
                    password_confirmation?: string;
                    /** @description Of the link */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The call was taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
}
