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
;; `C-c C-c' (`tile-run') runs the launch nearest to point.  Nothing runs on opening or saving a file.

;;; Code:

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

(defun tile--launches (server)
  "The run lenses of this buffer that SERVER offers, from the top down."
  (let ((lenses (jsonrpc-request server :textDocument/codeLens
                                 (list :textDocument (eglot--TextDocumentIdentifier)))))
    (seq-sort-by (lambda (lens) (plist-get (plist-get (plist-get lens :range) :start) :line)) #'<
                 (seq-filter (lambda (lens) (equal (plist-get (plist-get lens :command) :command) "tile.run"))
                             (append lenses nil)))))

(defun tile-run ()
  "Run the launch nearest to point.
That is the last one at or above it, else the first one."
  (interactive)
  (let* ((server (or (eglot-current-server) (user-error "No language server in this buffer; try M-x eglot")))
         (line (1- (line-number-at-pos nil t)))
         (launches (tile--launches server))
         (above (seq-filter (lambda (lens)
                              (<= (plist-get (plist-get (plist-get lens :range) :start) :line) line))
                            launches))
         (lens (or (car (last above)) (car launches)
                   (user-error "No launch stands above an entry in this file: //@ launch grid=(1, 1, 1)")))
         (arguments (plist-get (plist-get lens :command) :arguments)))
    (tile--write (format "▶ %s\n" (plist-get (seq-elt arguments 0) :entry)))
    (display-buffer (tile--output))
    (jsonrpc-async-request server :workspace/executeCommand
                           (list :command "tile.run" :arguments arguments)
                           :success-fn #'ignore
                           :error-fn (lambda (problem) (message "tile: %s" (plist-get problem :message))))))

(defun tile--output () "The buffer with what kernels wrote." (get-buffer-create "*tile output*"))

(defun tile--write (text)
  "Add TEXT to the output."
  (with-current-buffer (tile--output)
    (goto-char (point-max))
    (insert text)))

(defvar tile-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'tile-run)
    map))

;;;###autoload
(define-derived-mode tile-mode prog-mode "Tile IR"
  "Major mode for CUDA Tile IR."
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "//+@?\\s-*"
              indent-tabs-mode nil
              indent-line-function #'tile-indent-line
              font-lock-defaults '(tile-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.tile\\'" . tile-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'tile-mode (lambda (&rest _) tile-server-command)))
  (cl-defmethod eglot-handle-notification (_server (_method (eql tile/runOutput)) &key text &allow-other-keys)
    "Show what a kernel writes."
    (tile--write text)))

(provide 'tile-mode)
;;; tile-mode.el ends here
