;;; tile-mode.el --- Major mode for CUDA Tile IR -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0 OR MIT

;;; Commentary:

;; Highlights and indents .tile files, and configures Eglot to start `tile lsp'.
;;   (add-to-list 'load-path "…/editors/emacs")
;;   (require 'tile-mode)
;;   (add-hook 'tile-mode-hook #'eglot-ensure)
;; `C-c C-c' (`tile-run') runs the launch nearest to point, and `C-c C-s' (`tile-sanitize') runs it with the
;; sanitizer.  `C-c C-t' (`tile-test') runs all launches in the file and lists the failures.  `C-c C-e'
;; (`tile-explain') opens the page of a diagnostic code, and `C-c C-o' (`tile-doc') that of an op, type, keyword or
;; launch directive.  Opening or saving a file never runs anything.
;; `C-c C-d' (`tile-choose-target') selects the target of kernels, which the mode line shows.  `C-c C-v' (`tile-show')
;; shows the bytecode, PTX or SASS of the program, read-only.  `tile-diff' compares the meanings of two programs in Ediff.
;; `tile-remarks' shows what NVIDIA's compiler did not optimize as diagnostics.
;; `tile-bench' and `tile-tune' measure the kernel nearest to point on a GPU, and search for its fastest hints.
;; `tile-graph' and `tile-accesses' show in the browser how data flows in the entry at point, and which elements a launch
;; accesses.
;; `C-c C-b' (`tile-debug') debugs the launch nearest to point, op by op, with the package `dape' (Emacs 29 and newer);
;; the configuration `tile' of `M-x dape' does the same.  `M-x dape-breakpoint-toggle' sets breakpoints.
;; A .tileirbc file opens as read-only text.  To change settings of the server:
;;   (setq-default eglot-workspace-configuration '(:tile (:run (:launcher "ssh gpubox"))))

;;; Code:

(require 'cl-lib)
(require 'compile)
(require 'seq)
(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function eglot--TextDocumentPositionParams "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-async-request "jsonrpc")

(defgroup tile nil "CUDA Tile IR." :group 'languages)

(defcustom tile-server-command '("tile" "lsp")
  "Command that starts the language server."
  :type '(repeat string))

(defcustom tile-indent-offset 2
  "Number of columns to indent a level of braces."
  :type 'natnum)

(defcustom tile-target nil
  "Target of kernels, or nil for the one in the server's settings.
One of \"cpu\", \"cuda\", \"cuda:1\", or the name of another machine in the file
`tile/targets' of your configuration directory.  Set by `tile-choose-target'."
  :type '(choice (const nil) string))

(defface tile-attribute '((t :inherit font-lock-variable-name-face)) "Face for names of attributes.")

(defvar tile-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (char '(?% ?@ ?! ?# ?^ ?_ ?$ ?.))
      (modify-syntax-entry char "_" table))
    (dolist (char '(?< ?> ?= ?+ ?- ?* ?| ?? ?:))
      (modify-syntax-entry char "." table))
    table))

;; Words are highlighted by their position, without names of ops.
(defvar tile-font-lock-keywords
  `(("^\\s-*//@\\s-*\\(\\w+\\)" 1 font-lock-preprocessor-face t)
    ("^\\s-*\\(\\(?:[A-Za-z_][A-Za-z0-9_$.]*\\s-+\\)+\\)\\(@[^ (]+\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\(?:^\\|[{}]\\)\\s-*\\([a-z]+\\)\\_>\\s-*\\(?:$\\|[%{\"/}]\\|[a-z]+\\s-*[%(]\\)" 1 font-lock-keyword-face)
    ("=\\s-*\\([A-Za-z_][A-Za-z0-9_$.]*\\)\\_>\\s-*[^<(]" 1 font-lock-builtin-face)
    ("\\(?:^\\|{\\)\\s-*\\([A-Za-z_][A-Za-z0-9_$.]*_[A-Za-z0-9_$.]*\\)\\_>" 1 font-lock-builtin-face)
    ("\\(!?[A-Za-z_][A-Za-z0-9_$.]*\\)<" 1 font-lock-type-face)
    ("\\(?:\\_<\\|[0-9?]x\\)\\([su]?i[0-9]+\\|[a-z]*f[a-z]*[0-9]+\\(?:E[0-9]+M[0-9]+[A-Z]*\\)?\\)\\_>" 1 font-lock-type-face)
    ("\\_<token\\_>" . font-lock-type-face)
    ("\\_<\\(?:true\\|false\\)\\_>" . font-lock-constant-face)
    ("\\(%[A-Za-z0-9_$.-]+\\)" 1 font-lock-variable-name-face)
    ("@[A-Za-z0-9_$.-]+" . font-lock-function-name-face)
    ("#[A-Za-z_][A-Za-z0-9_$.]*" . font-lock-preprocessor-face)
    ("\\_<\\([A-Za-z_][A-Za-z0-9_$.]*\\)\\s-*=" 1 'tile-attribute))
  "Font lock keywords of `tile-mode'.")

(defun tile-indent-line ()
  "Indent the current line according to the enclosing brackets."
  (interactive)
  (let* ((depth (save-excursion
                  (beginning-of-line)
                  (let ((open (car (syntax-ppss))))
                    (skip-chars-forward " \t")
                    (if (looking-at-p "[])}]") (1- open) open))))
         (column (* tile-indent-offset (max 0 depth))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defun tile--server ()
  "Return the language server of this buffer, or signal an error."
  (or (eglot-current-server) (user-error "No language server in this buffer; try M-x eglot")))

(defun tile--launches (server)
  "Return the launches in this buffer that SERVER finds, in the order of the text.
Each is a list of its entry, its name or nil, and its range."
  (let ((entries (jsonrpc-request server :tile/launches (list :textDocument (eglot--TextDocumentIdentifier)))))
    (seq-mapcat (lambda (entry)
                  (seq-map (lambda (launch)
                             (list (plist-get entry :entry) (plist-get launch :launch) (plist-get launch :range)))
                           (plist-get entry :launches)))
                (append entries nil))))

(defun tile--line (range)
  "Return the first line of RANGE, counted from 0."
  (plist-get (plist-get range :start) :line))

(defun tile--title (launch)
  "Return the name of LAUNCH with its entry."
  (if (nth 1 launch) (format "%s · %s" (car launch) (nth 1 launch)) (car launch)))

(defun tile--nearest (launches)
  "Return the last of LAUNCHES at or above point, or else the first one."
  (let* ((line (1- (line-number-at-pos nil t)))
         (above (seq-filter (lambda (launch) (<= (tile--line (nth 2 launch)) line)) launches)))
    (or (car (last above)) (car launches)
        (user-error "This file has no launches; write one above an entry: //@ launch grid=(1, 1, 1)"))))

(defun tile--parameters (launch sanitize &optional command)
  "Return the parameters to run LAUNCH, with the sanitizer if SANITIZE.
COMMAND is the server's command, by default tile.run."
  (let ((target (if sanitize "cpu" tile-target)))
    (list :command (or command "tile.run")
          :arguments (vector (append (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)
                                           :entry (car launch)
                                           :launch (nth 1 launch)
                                           :sanitize (if sanitize t :json-false))
                                     (and target (list :target target)))))))

(defun tile--run (sanitize &optional command member)
  "Run the launch nearest to point, with the sanitizer if SANITIZE.
COMMAND is the server's command, and MEMBER that of its answer to show."
  (let* ((server (tile--server))
         (launch (tile--nearest (tile--launches server))))
    (tile--write (format "▶ %s\n" (tile--title launch)))
    (display-buffer (tile--output))
    (jsonrpc-async-request server :workspace/executeCommand (tile--parameters launch sanitize command)
                           :success-fn (lambda (answer)
                                         (tile--write (format "%s\n" (or (plist-get answer (or member :verdict)) "stopped"))))
                           :timeout (if command 7200 600)
                           :error-fn (lambda (problem) (message "tile: %s" (plist-get problem :message))))))

(defun tile-run ()
  "Run the launch nearest to point.
That is the last one at or above it, or else the first one."
  (interactive)
  (tile--run nil))

(defun tile-sanitize ()
  "Run the launch nearest to point with the sanitizer."
  (interactive)
  (tile--run t))

(defun tile-bench ()
  "Measure the launch nearest to point on a GPU."
  (interactive)
  (tile--run nil "tile.bench"))

(defun tile-tune ()
  "Search for the fastest hints of the kernel nearest to point on a GPU.
The server asks whether to write them."
  (interactive)
  (tile--run nil "tile.tune" :table))

(defun tile-debug-program ()
  "Return the program of the debug adapter."
  (car tile-server-command))

(defun tile-debug-file ()
  "Return the file of this buffer, which the debugger reads."
  (or (buffer-file-name) (user-error "Save this program to debug it")))

(defun tile-debug-launch ()
  "Return the name of the launch nearest to point, or nil."
  (nth 1 (tile--nearest (tile--launches (tile--server)))))

(defun tile-debug-entry ()
  "Return the entry of the launch nearest to point."
  (car (tile--nearest (tile--launches (tile--server)))))

(defun tile-debug-arguments ()
  "Return the arguments of the debug adapter."
  (let ((project (project-current)))
    (list "debug-adapter" "--folder"
          (expand-file-name (if project (project-root project) default-directory)))))

(declare-function dape "dape")

(defun tile-debug ()
  "Debug the launch nearest to point, with `dape'."
  (interactive)
  (unless (require 'dape nil t) (user-error "Debugging requires the package dape, which is not installed"))
  (when (buffer-modified-p) (message "tile: the buffer has unsaved changes; debugging the saved file"))
  (dape (list 'command (tile-debug-program) 'command-args (tile-debug-arguments) 'command-cwd default-directory
              :type "tile" :request "launch" :program (tile-debug-file)
              :entry (tile-debug-entry) :launch (tile-debug-launch))))

(defvar dape-configs)
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               '(tile modes (tile-mode)
                      ensure dape-ensure-command
                      command tile-debug-program
                      command-args tile-debug-arguments
                      :type "tile"
                      :request "launch"
                      :program tile-debug-file
                      :entry tile-debug-entry
                      :launch tile-debug-launch)))

(defun tile-test ()
  "Run all launches in this file and list the failures."
  (interactive)
  (let* ((server (tile--server))
         (file (buffer-file-name))
         (launches (tile--launches server))
         (sanitize (member tile-target '(nil "cpu")))
         (passed 0)
         (buffer (get-buffer-create "*tile test*")))
    (unless launches (user-error "This file has no launches"))
    (let ((found (seq-mapcat
                  (lambda (launch)
                    (tile--write (format "▶ %s\n" (tile--title launch)))
                    (let ((answer (condition-case problem
                                      (jsonrpc-request server :workspace/executeCommand
                                                       (tile--parameters launch sanitize) :timeout 600)
                                    (jsonrpc-error
                                     (list :failures
                                           (vector (list :range (nth 2 launch)
                                                         :message (alist-get 'jsonrpc-error-message (cddr problem)))))))))
                      (when (eq t (plist-get answer :passed)) (cl-incf passed))
                      (seq-map (lambda (failure) (tile--failure file launch failure)) (plist-get answer :failures))))
                  launches)))
      (with-current-buffer buffer
        (let ((inhibit-read-only t))
          (erase-buffer)
          (setq default-directory (file-name-directory file))
          (mapc #'insert found)
          (insert (format "\n%d of %d launches passed\n" passed (length launches))))
        (compilation-mode "Tile test"))
      (display-buffer buffer))))

(defun tile--failure (file launch failure)
  "Return a line in the format of `compilation-mode' for FAILURE of LAUNCH in FILE."
  (let* ((range (plist-get failure :range))
         (start (plist-get range :start))
         (code (plist-get failure :code)))
    (format "%s:%d:%d: error: %s: %s%s\n" file (1+ (tile--line range)) (1+ (plist-get start :character))
            (tile--title launch) (if code (concat code ": ") "")
            (replace-regexp-in-string "\n" "\n    " (plist-get failure :message)))))

(defun tile-choose-target (name)
  "Select the target NAME for kernels."
  (interactive
   (let* ((all (append (jsonrpc-request (tile--server) :tile/targets (make-hash-table)) nil))
          (about (mapcar (lambda (each) (cons (plist-get each :target) (plist-get each :description))) all))
          (completion-extra-properties
           (list :annotation-function (lambda (name) (concat "  " (cdr (assoc name about)))))))
     (list (completing-read "Target: " (mapcar #'car about) nil nil nil nil (or tile-target "cpu")))))
  (setq tile-target name)
  (force-mode-line-update t))

(defconst tile--texts '(("bytecode" . "tile.showBytecode") ("ptx" . "tile.showPtx") ("sass" . "tile.showSass"))
  "The kinds of generated code, with the server's commands to show them.")

(defun tile-show (kind &optional gpu)
  "Show the code of KIND generated from the program: bytecode, ptx or sass.
GPU is the GPU to generate code for, such as \"sm_90\".  With a prefix argument,
prompt for it."
  (interactive (list (completing-read "Show: " tile--texts nil t)
                     (when current-prefix-arg (read-string "GPU: " "sm_90"))))
  (let* ((argument (append (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri) :show :json-false)
                           (and gpu (list :gpu gpu))))
         (answer (jsonrpc-request (tile--server) :workspace/executeCommand
                                  (list :command (cdr (assoc kind tile--texts)) :arguments (vector argument))
                                  :timeout 120)))
    (with-current-buffer (get-buffer-create (format "*tile %s*" kind))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get answer :text))
        (goto-char (point-min)))
      (when (equal kind "bytecode") (tile-mode))
      (view-mode 1)
      (display-buffer (current-buffer)))))

(defun tile-remarks (&optional gpu)
  "Show what NVIDIA's compiler did not optimize as diagnostics.
They stay until the text of their entry changes.  GPU is the GPU to compile for,
such as \"sm_90\".  With a prefix argument, prompt for it."
  (interactive (list (when current-prefix-arg (read-string "GPU: " "sm_90"))))
  (let ((argument (append (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri))
                          (and gpu (list :gpu gpu)))))
    (jsonrpc-request (tile--server) :workspace/executeCommand
                     (list :command "tile.remarks" :arguments (vector argument)) :timeout 120)))

(defun tile--browse (method missing)
  "Open the page that METHOD returns for the entry at point in the browser.
MISSING says why there is none."
  (let ((page (jsonrpc-request (tile--server) method (eglot--TextDocumentPositionParams) :timeout 60)))
    (unless page (user-error "%s" missing))
    (let ((file (make-temp-file "tile-" nil ".html")))
      (with-temp-file file (insert (plist-get page :html)))
      (browse-url-of-file file))))

(defun tile-graph ()
  "Show how data flows in the entry at point, in the browser."
  (interactive)
  (tile--browse :tile/graph "There is no entry at point"))

(defun tile-accesses ()
  "Show which elements the launch at point accesses, in the browser."
  (interactive)
  (tile--browse :tile/accesses "The accesses are those of a launch: add a //@ launch above the entry"))

(defun tile--call (&rest arguments)
  "Run the program with ARGUMENTS.  Return its exit status and its output."
  (with-temp-buffer
    (let* ((coding-system-for-read 'utf-8)
           (status (apply #'call-process (car tile-server-command) nil '(t nil) nil arguments)))
      (cons status (buffer-string)))))

(defun tile--compared (a b)
  "Return buffers with the programs A and B, reprinted so that only their meanings differ.
Return nil if their meanings do not differ."
  (let* ((answer (tile--call "diff" "--json" "--" (expand-file-name a) (expand-file-name b)))
         (report (and (eq 0 (car answer)) (json-parse-string (cdr answer) :object-type 'plist :null-object nil)))
         (texts (plist-get report :normalized))
         (show (lambda (file text)
                 (with-current-buffer (generate-new-buffer (format "*%s*" (file-name-nondirectory file)))
                   (insert text)
                   (delay-mode-hooks (tile-mode))
                   (setq buffer-read-only t)
                   (set-buffer-modified-p nil)
                   (current-buffer)))))
    (unless report (user-error "%s and %s cannot be compared; `tile diff' says why" a b))
    (unless (equal (plist-get report :verdict) "same")
      (list (funcall show a (plist-get texts :a)) (funcall show b (plist-get texts :b))))))

(defun tile-diff (a b)
  "Show in Ediff how the meanings of the programs A and B differ.
Both are files with text or bytecode.  Names, comments and the order of ops do
not count."
  (interactive (list (or (buffer-file-name) (read-file-name "Compare: " nil nil t))
                     (read-file-name "With: " nil nil t)))
  (let ((buffers (tile--compared a b)))
    (if buffers
        (apply #'ediff-buffers buffers)
      (message "The programs do not differ in meaning"))))

(defun tile--codes ()
  "Return all diagnostic codes."
  (seq-filter (lambda (word) (string-match-p "\\`[ELPR][0-9]+\\'" word)) (split-string (cdr (tile--call "explain")))))

(defvar tile--page-keywords
  '(("^#+ .*" . 'bold)
    ("`[^`\n]+`" . 'font-lock-constant-face)
    ("\\*\\*[^*\n]+\\*\\*" . 'bold))
  "The colors of pages, which are Markdown.")

(define-derived-mode tile-page-mode special-mode "Tile IR page"
  "Major mode for pages about diagnostics and terms."
  (setq-local font-lock-defaults '(tile--page-keywords t))
  (visual-line-mode 1))

(defun tile--page (name text)
  "Show TEXT in the buffer NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (tile-page-mode)
    (display-buffer (current-buffer))))

(defun tile-explain (code)
  "Open the page of the diagnostic CODE."
  (interactive (list (completing-read "Code: " (tile--codes) nil t)))
  (let ((answer (tile--call "explain" code)))
    (unless (eq 0 (car answer)) (user-error "No page for %s" code))
    (tile--page "*tile explain*" (cdr answer))))

(defun tile--terms ()
  "Return all terms that `tile doc' describes."
  (let (found)
    (dolist (line (split-string (cdr (tile--call "doc")) "\n"))
      (when (string-match "\\`- `\\([^`]+\\)`" line)
        (push (match-string 1 line) found)))
    (delete-dups (nreverse found))))

(defun tile-doc (term)
  "Open the page of TERM: an op, a type, a keyword or a launch directive."
  (interactive
   (let ((here (thing-at-point 'symbol t)))
     (list (completing-read "Term: " (tile--terms) nil nil nil nil here))))
  (let ((answer (tile--call "doc" "--" term)))
    (unless (eq 0 (car answer)) (user-error "No page for %s" term))
    (tile--page "*tile doc*" (cdr answer))))

(defun tile--output () "Return the buffer with the output of kernels." (get-buffer-create "*tile output*"))

(defun tile--write (text)
  "Append TEXT to the output."
  (with-current-buffer (tile--output)
    (goto-char (point-max))
    (insert text)))

(defvar tile-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'tile-run)
    (define-key map (kbd "C-c C-s") #'tile-sanitize)
    (define-key map (kbd "C-c C-t") #'tile-test)
    (define-key map (kbd "C-c C-b") #'tile-debug)
    (define-key map (kbd "C-c C-e") #'tile-explain)
    (define-key map (kbd "C-c C-d") #'tile-choose-target)
    (define-key map (kbd "C-c C-o") #'tile-doc)
    (define-key map (kbd "C-c C-v") #'tile-show)
    map))

;;;###autoload
(define-derived-mode tile-mode prog-mode "Tile IR"
  "Major mode for CUDA Tile IR."
  (setq mode-name '("Tile IR" (tile-target (":" tile-target))))
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "//+@?\\s-*"
              indent-tabs-mode nil
              indent-line-function #'tile-indent-line
              font-lock-defaults '(tile-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.tile\\'" . tile-mode))

(defun tile--mlir-program-p ()
  "Whether the buffer is an MLIR file with a Tile IR module, which comments can precede."
  (and buffer-file-name
       (string-suffix-p ".mlir" buffer-file-name)
       (save-excursion (goto-char (point-min)) (re-search-forward "^\\s-*cuda_tile\\.module\\_>" 20000 t))))

;;;###autoload
(add-to-list 'magic-mode-alist '(tile--mlir-program-p . tile-mode))

(put 'tile-bytecode-mode 'eglot-language-id "tile")

(defun tile--disassemble (&rest _)
  "Replace the bytecode in this buffer with its text."
  (let ((answer (tile--call "dis" (expand-file-name (buffer-file-name))))
        (inhibit-read-only t))
    (when (string-empty-p (cdr answer))
      (user-error "%s is not valid bytecode" (file-name-nondirectory (buffer-file-name))))
    (erase-buffer)
    (set-buffer-multibyte t)
    (insert (cdr answer))
    (goto-char (point-min))
    (setq buffer-undo-list nil)
    (set-buffer-modified-p nil)))

;;;###autoload
(define-derived-mode tile-bytecode-mode tile-mode "Tile IR bytecode"
  "Major mode that shows bytecode of CUDA Tile IR as text.
The buffer is read-only and cannot be saved."
  (tile--disassemble)
  (setq-local write-contents-functions
              (list (lambda () (user-error "This text is generated from bytecode; write it to a .tile file"))))
  (auto-save-mode -1)
  (setq buffer-read-only t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.tileirbc\\'" . tile-bytecode-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'tile-mode (lambda (&rest _) tile-server-command)))
  (cl-defmethod eglot-handle-notification (_server (_method (eql tile/runOutput)) &key text &allow-other-keys)
    "Append the output of a kernel to the output buffer."
    (tile--write text)))

(provide 'tile-mode)
;;; tile-mode.el ends here
