;;; tile-mode.el --- Major mode for CUDA Tile IR -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0 OR MIT

;;; Commentary:

;; Colours and indents .tile files, and tells Eglot to start `tile lsp'.
;;   (add-to-list 'load-path "…/editors/emacs")
;;   (require 'tile-mode)
;;   (add-hook 'tile-mode-hook #'eglot-ensure)
;; `C-c C-c' (`tile-run') runs the launch nearest to point, `C-c C-s' (`tile-sanitize') does so with the
;; sanitizer, `C-c C-t' (`tile-test') runs all launches of the file and lists what fails, `C-c C-e'
;; (`tile-explain') opens the page of a diagnostic code.  Nothing runs on opening or saving a file.
;; `C-c C-d' (`tile-choose-target') chooses what kernels run on, which the mode line shows; `C-c C-v' (`tile-show') shows the
;; bytecode, PTX or SASS of the program, read-only.
;; `C-c C-b' (`tile-debug') debugs the launch nearest to point, op by op, with the package `dape' (Emacs 29 and newer);
;; `M-x dape' offers the same as `tile'.  `M-x dape-breakpoint-toggle' sets breakpoints.
;; A .tileirbc file opens as text, read-only.  Settings of the server:
;;   (setq-default eglot-workspace-configuration '(:tile (:run (:launcher "ssh gpubox"))))

;;; Code:

(require 'cl-lib)
(require 'compile)
(require 'seq)
(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-async-request "jsonrpc")

(defgroup tile nil "CUDA Tile IR." :group 'languages)

(defcustom tile-server-command '("tile" "lsp")
  "How to start the language server."
  :type '(repeat string))

(defcustom tile-indent-offset 2
  "Columns of indentation for a level of braces."
  :type 'natnum)

(defcustom tile-target nil
  "What kernels run on; nil as the settings say.
That is \"cpu\", \"cuda\", \"cuda:1\", or a name that the file `tile/targets' of
your configuration gives to another machine.  `tile-choose-target' changes it."
  :type '(choice (const nil) string))

(defface tile-attribute '((t :inherit font-lock-variable-name-face)) "Names of attributes.")

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

;; Words get their colour from where they stand; no op is known by name.
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
  "What `tile-mode' colours.")

(defun tile-indent-line ()
  "Indent a line by the brackets around it."
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
  "The language server of this buffer."
  (or (eglot-current-server) (user-error "No language server in this buffer; try M-x eglot")))

(defun tile--launches (server)
  "The launches of this buffer that SERVER finds, from the top down.
Each is a list of its entry, its name or nil, and its place."
  (let ((entries (jsonrpc-request server :tile/launches (list :textDocument (eglot--TextDocumentIdentifier)))))
    (seq-mapcat (lambda (entry)
                  (seq-map (lambda (launch)
                             (list (plist-get entry :entry) (plist-get launch :launch) (plist-get launch :range)))
                           (plist-get entry :launches)))
                (append entries nil))))

(defun tile--line (range)
  "The first line of RANGE, counted from 0."
  (plist-get (plist-get range :start) :line))

(defun tile--title (launch)
  "How LAUNCH is called."
  (if (nth 1 launch) (format "%s · %s" (car launch) (nth 1 launch)) (car launch)))

(defun tile--nearest (launches)
  "The last of LAUNCHES at or above point, else the first one."
  (let* ((line (1- (line-number-at-pos nil t)))
         (above (seq-filter (lambda (launch) (<= (tile--line (nth 2 launch)) line)) launches)))
    (or (car (last above)) (car launches)
        (user-error "No launch stands above an entry in this file: //@ launch grid=(1, 1, 1)"))))

(defun tile--parameters (launch sanitize)
  "What the server is told to run LAUNCH, with the sanitizer if SANITIZE."
  (let ((target (if sanitize "cpu" tile-target)))
    (list :command "tile.run"
          :arguments (vector (append (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)
                                           :entry (car launch)
                                           :launch (nth 1 launch)
                                           :sanitize (if sanitize t :json-false))
                                     (and target (list :target target)))))))

(defun tile--run (sanitize)
  "Run the launch nearest to point, with the sanitizer if SANITIZE."
  (let* ((server (tile--server))
         (launch (tile--nearest (tile--launches server))))
    (tile--write (format "▶ %s\n" (tile--title launch)))
    (display-buffer (tile--output))
    (jsonrpc-async-request server :workspace/executeCommand (tile--parameters launch sanitize)
                           :success-fn (lambda (answer) (tile--write (format "%s\n" (plist-get answer :verdict))))
                           :timeout 600
                           :error-fn (lambda (problem) (message "tile: %s" (plist-get problem :message))))))

(defun tile-run ()
  "Run the launch nearest to point.
That is the last one at or above it, else the first one."
  (interactive)
  (tile--run nil))

(defun tile-sanitize ()
  "Run the launch nearest to point with the sanitizer looking on."
  (interactive)
  (tile--run t))

(defun tile-debug-program ()
  "The program that debugs."
  (car tile-server-command))

(defun tile-debug-file ()
  "The file of this buffer, which the debugger reads."
  (or (buffer-file-name) (user-error "Save this program to debug it")))

(defun tile-debug-launch ()
  "The name of the launch nearest to point, or nil."
  (nth 1 (tile--nearest (tile--launches (tile--server)))))

(defun tile-debug-entry ()
  "The entry of the launch nearest to point."
  (car (tile--nearest (tile--launches (tile--server)))))

(defun tile-debug-arguments ()
  "The arguments of the debugger: a launch reads files of the project only."
  (let ((project (project-current)))
    (list "debug-adapter" "--folder"
          (expand-file-name (if project (project-root project) default-directory)))))

(declare-function dape "dape")

(defun tile-debug ()
  "Debug the launch nearest to point, with `dape'."
  (interactive)
  (unless (require 'dape nil t) (user-error "Debugging takes the package dape, which is not installed"))
  (when (buffer-modified-p) (message "tile: the file is debugged as it was saved last"))
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
  "Run all launches of this file, and list what fails."
  (interactive)
  (let* ((server (tile--server))
         (file (buffer-file-name))
         (launches (tile--launches server))
         (sanitize (member tile-target '(nil "cpu")))
         (passed 0)
         (buffer (get-buffer-create "*tile test*")))
    (unless launches (user-error "No launch stands above an entry in this file"))
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
  "A line that `compilation-mode' understands about FAILURE of LAUNCH in FILE."
  (let* ((range (plist-get failure :range))
         (start (plist-get range :start))
         (code (plist-get failure :code)))
    (format "%s:%d:%d: error: %s: %s%s\n" file (1+ (tile--line range)) (1+ (plist-get start :character))
            (tile--title launch) (if code (concat code ": ") "")
            (replace-regexp-in-string "\n" "\n    " (plist-get failure :message)))))

(defun tile-choose-target (name)
  "Run kernels on NAME from here on."
  (interactive
   (let* ((all (append (jsonrpc-request (tile--server) :tile/targets (make-hash-table)) nil))
          (about (mapcar (lambda (each) (cons (plist-get each :target) (plist-get each :description))) all))
          (completion-extra-properties
           (list :annotation-function (lambda (name) (concat "  " (cdr (assoc name about)))))))
     (list (completing-read "Run kernels on: " (mapcar #'car about) nil nil nil nil (or tile-target "cpu")))))
  (setq tile-target name)
  (force-mode-line-update t))

(defconst tile--texts '(("bytecode" . "tile.showBytecode") ("ptx" . "tile.showPtx") ("sass" . "tile.showSass"))
  "What can be shown of a program, with the commands of the server.")

(defun tile-show (kind &optional gpu)
  "Show the text of this KIND that is made of the program: bytecode, ptx or sass.
GPU is the one that code is made for, such as \"sm_90\"; with a prefix argument it is asked for."
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

(defun tile--ask (&rest arguments)
  "What the program answers to ARGUMENTS."
  (with-temp-buffer
    (let* ((coding-system-for-read 'utf-8)
           (status (apply #'call-process (car tile-server-command) nil '(t nil) nil arguments)))
      (cons status (buffer-string)))))

(defun tile--codes ()
  "All diagnostic codes."
  (seq-filter (lambda (word) (string-match-p "\\`[ELPR][0-9]+\\'" word)) (split-string (cdr (tile--ask "explain")))))

(defun tile-explain (code)
  "Open the page of the diagnostic CODE."
  (interactive (list (completing-read "Code: " (tile--codes) nil t)))
  (let ((answer (tile--ask "explain" code)))
    (unless (eq 0 (car answer)) (user-error "There is no page of %s" code))
    (with-current-buffer (get-buffer-create "*tile explain*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (cdr answer))
        (goto-char (point-min)))
      (view-mode 1)
      (display-buffer (current-buffer)))))

(defun tile--output () "The buffer with what kernels wrote." (get-buffer-create "*tile output*"))

(defun tile--write (text)
  "Add TEXT to the output."
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

(put 'tile-bytecode-mode 'eglot-language-id "tile")

(defun tile--disassemble (&rest _)
  "Replace the bytecode in this buffer by its text."
  (let ((answer (tile--ask "dis" (expand-file-name (buffer-file-name))))
        (inhibit-read-only t))
    (when (string-empty-p (cdr answer))
      (user-error "%s holds no bytecode that can be read" (file-name-nondirectory (buffer-file-name))))
    (erase-buffer)
    (set-buffer-multibyte t)
    (insert (cdr answer))
    (goto-char (point-min))
    (setq buffer-undo-list nil)
    (set-buffer-modified-p nil)))

;;;###autoload
(define-derived-mode tile-bytecode-mode tile-mode "Tile IR bytecode"
  "Major mode that shows bytecode of CUDA Tile IR as text.
The text cannot be written back."
  (tile--disassemble)
  (setq-local write-contents-functions
              (list (lambda () (user-error "This text is made from bytecode; write it to a .tile file"))))
  (auto-save-mode -1)
  (setq buffer-read-only t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.tileirbc\\'" . tile-bytecode-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'tile-mode (lambda (&rest _) tile-server-command)))
  (cl-defmethod eglot-handle-notification (_server (_method (eql tile/runOutput)) &key text &allow-other-keys)
    "Show what a kernel writes."
    (tile--write text)))

(provide 'tile-mode)
;;; tile-mode.el ends here
